"""The URLs that a style sheet or a style attribute names."""

import tinycss2

URL_FUNCTIONS = {"url", "src"}


def urls(css):
    """Every URL of url(), src(), image-set() and @import, in order."""
    found = []
    walk(tinycss2.parse_component_value_list(css), found, strings_count=False)
    return found


def walk(tokens, found, strings_count):
    """`strings_count`: whether a bare string here is a URL, as in image-set()."""
    after_import = False
    # The URL of a namespace is a name: nobody loads it.
    in_namespace = False
    for token in tokens:
        if token.type in ("whitespace", "comment"):
            continue
        if in_namespace:
            in_namespace = token.type != "{} block" and token != ";"
            if token.type != "{} block":
                continue
        if token.type == "at-keyword" and token.lower_value == "namespace":
            in_namespace = True
        elif token.type == "url" or token.type == "string" and (strings_count or after_import):
            found.append(token.value)
        elif token.type == "function":
            if token.lower_name in URL_FUNCTIONS:
                found.extend(argument.value for argument in token.arguments if argument.type == "string")
            else:
                walk(token.arguments, found, is_image_set(token.lower_name))
        elif token.type in ("{} block", "[] block", "() block"):
            walk(token.content, found, False)
        after_import = token.type == "at-keyword" and token.lower_value == "import"


def is_image_set(name):
    return name in ("image-set", "-webkit-image-set")
