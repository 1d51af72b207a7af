// The hosts of all URLs in a document, as the browser's own parsers of HTML, CSS and URLs give them.
(() => {
    // On any element: which of them would follow the URL is not asked here.
    const ONE = ["href", "xlink:href", "src", "background", "action", "formaction", "poster", "codebase", "cite", "longdesc", "lowsrc"];
    const PRESENTATION = ["fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "cursor"];
    const SVG = "http://www.w3.org/2000/svg";
    const FRAMES = { iframe: "src", frame: "src", object: "data", embed: "src" };
    const XML = new Set(["image/svg+xml", "application/xhtml+xml", "text/xml", "application/xml"]);

    const SPECIAL = new Set(["http:", "https:", "ftp:", "ws:", "wss:", "file:"]);

    // The host of another scheme, which the standard leaves as it is written, as it would be in one of the web's.
    const domain = (host) => {
        try {
            return new URL(`https://${host}`).hostname;
        } catch {
            return host;
        }
    };

    const scratch = document.implementation.createHTMLDocument("");
    const sheet = scratch.head.appendChild(scratch.createElement("style"));
    const declarations = scratch.createElement("p").style;

    class Collector {
        constructor() {
            this.hosts = new Set();
            this.inside = [];
        }

        url(text, base) {
            let url;
            try {
                url = new URL(text, base);
            } catch {
                return null;
            }
            if (url.hostname !== "") this.hosts.add(SPECIAL.has(url.protocol) ? url.hostname : domain(url.hostname));
            return url;
        }

        // Every url() in CSS that the browser has parsed and written anew: there each is url("…").
        css(text, base) {
            for (const [, string] of text.matchAll(/url\("((?:[^"\\]|\\[^])*)"\)/g)) {
                const url = string.replace(/\\(?:([0-9a-f]{1,6}) ?|([^]))/gi, (_, hex, other) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : other));
                this.url(url, base);
            }
        }

        rules(list, base) {
            for (const rule of list) {
                if (rule instanceof CSSImportRule) this.url(rule.href, base);
                // The URL of a namespace is a name.
                else if (!(rule instanceof CSSNamespaceRule)) this.css(rule.cssText, base);
            }
        }

        sheet(text, base) {
            sheet.textContent = text;
            this.rules(sheet.sheet.cssRules, base);
        }

        declaration(property, value, base) {
            declarations.cssText = "";
            declarations.setProperty(property, value);
            this.css(declarations.cssText, base);
        }

        // The URLs of a srcset, by the standard's algorithm.
        srcset(text, base) {
            let rest = text;
            for (;;) {
                rest = rest.replace(/^[\t\n\f\r ,]+/, "");
                if (rest === "") return;
                let [candidate] = rest.match(/^[^\t\n\f\r ]+/);
                rest = rest.slice(candidate.length);
                if (candidate.endsWith(",")) {
                    candidate = candidate.replace(/,+$/, "");
                } else {
                    let depth = 0, end = 0;
                    for (; end < rest.length && !(rest[end] === "," && depth === 0); end++) {
                        if (rest[end] === "(") depth = 1;
                        if (rest[end] === ")") depth = 0;
                    }
                    rest = rest.slice(end);
                }
                this.url(candidate, base);
            }
        }

        // By the standard's steps for a shared declarative refresh.
        refresh(text, base) {
            const found = text.match(/^[\t\n\f\r ]*(?:\d+|(?=\.))[\d.]*(?=[\t\n\f\r ;,])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*([^]+)$/);
            if (!found) return;
            const value = found[1].replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
            const quote = value[0];
            this.url(quote === '"' || quote === "'" ? value.slice(1).split(quote)[0] : value, base);
        }

        element(element, base) {
            for (const name of ONE) {
                const value = element.getAttribute(name);
                if (value !== null) this.url(value, base);
            }
            const name = element.localName;
            if (name === "object" && element.hasAttribute("data")) this.url(element.getAttribute("data"), base);
            for (const list of ["srcset", "imagesrcset"]) {
                if (element.hasAttribute(list)) this.srcset(element.getAttribute(list), base);
            }
            if (element.hasAttribute("ping")) {
                for (const url of element.getAttribute("ping").split(/[\t\n\f\r ]+/)) if (url) this.url(url, base);
            }
            if (element.style) this.css(element.style.cssText, base);
            if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement) this.sheet(element.textContent, base);
            if (element instanceof HTMLMetaElement && element.httpEquiv.toLowerCase() === "refresh") this.refresh(element.content, base);
            if (element.namespaceURI === SVG) {
                for (const property of PRESENTATION) {
                    if (element.hasAttribute(property)) this.declaration(property, element.getAttribute(property), base);
                }
                if (element instanceof SVGAnimationElement && element.getAttribute("attributeName") === "href") {
                    for (const part of ["to", "from", "by"]) if (element.hasAttribute(part)) this.url(element.getAttribute(part), base);
                }
            }
            if (element instanceof HTMLIFrameElement && element.hasAttribute("srcdoc")) this.html(element.getAttribute("srcdoc"), base);
            if (name in FRAMES && element.hasAttribute(FRAMES[name])) {
                const url = this.url(element.getAttribute(FRAMES[name]), base);
                if (url !== null && url.protocol === "data:") this.inside.push(url.href);
            }
            if (element.content instanceof DocumentFragment) this.tree(element.content, base);
            if (element.shadowRoot) this.tree(element.shadowRoot, base);
        }

        tree(root, base) {
            for (const element of root.querySelectorAll("*")) this.element(element, base);
        }

        document(document, base) {
            this.tree(document, document.querySelector("base[href]") ? document.baseURI : base);
        }

        html(text, base) {
            this.document(new DOMParser().parseFromString(text, "text/html"), base);
        }

        // A `data:` document in a frame: of HTML or XML, with nothing to resolve its relative URLs against.
        async data(url) {
            const answer = await fetch(url).catch(() => null);
            if (answer === null) return;
            const type = (answer.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
            const text = await answer.text();
            if (type === "text/html") this.html(text, url);
            else if (XML.has(type)) this.document(new DOMParser().parseFromString(text, type), url);
        }

        async finish() {
            for (let url; (url = this.inside.pop()) !== undefined; ) await this.data(url);
            return [...this.hosts];
        }
    }

    globalThis.hostsOf = async (documents) => {
        const all = [];
        for (const html of documents) {
            const collector = new Collector();
            collector.html(html, document.baseURI);
            all.push(await collector.finish());
        }
        return all;
    };

    // Of the page itself, after its style and layout, which requests what CSS names.
    globalThis.hostsHere = () => {
        document.documentElement?.getBoundingClientRect();
        const collector = new Collector();
        collector.document(document, document.baseURI);
        return [...collector.hosts];
    };
})();
