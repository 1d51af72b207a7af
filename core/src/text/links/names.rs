//! Element names as numbers, so that rules over names are plain `match` arms.

/// A lower-case element name. Names of at most 16 bytes are packed exactly; a longer one, which no rule names, is
/// hashed.
pub(super) type Name = u128;

/// The [`Name`] of `bytes`, ASCII upper case folded as a tokenizer does.
pub(super) const fn name(bytes: &[u8]) -> Name {
    let mut rest = bytes;
    if bytes.len() <= 8 {
        let mut packed: u64 = 0;
        while let [first, tail @ ..] = rest {
            packed = (packed << 8) | first.to_ascii_lowercase() as u64;
            rest = tail;
        }
        return packed as u128;
    }
    let mut packed: u128 = 0;
    if bytes.len() <= 16 {
        while let [first, tail @ ..] = rest {
            packed = (packed << 8) | first.to_ascii_lowercase() as u128;
            rest = tail;
        }
        return packed;
    }
    // FNV-1a.
    packed = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    while let [first, tail @ ..] = rest {
        packed ^= first.to_ascii_lowercase() as u128;
        packed = packed.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        rest = tail;
    }
    packed
}

macro_rules! names {
    ($($constant:ident)*; $($odd:ident = $text:literal)*) => {
        $(pub(super) const $constant: Name = name(stringify!($constant).as_bytes());)*
        $(pub(super) const $odd: Name = name($text.as_bytes());)*
    };
}

names! {
    A ADDRESS APPLET AREA ARTICLE ASIDE B BASE BASEFONT BGSOUND BIG BLOCKQUOTE BODY BR BUTTON CAPTION CENTER CODE COL
    COLGROUP DD DESC DETAILS DIALOG DIR DIV DL DT EM EMBED FIELDSET FIGCAPTION FIGURE FONT FOOTER FOREIGNOBJECT FORM
    FRAME FRAMESET H1 H2 H3 H4 H5 H6 HEAD HEADER HGROUP HR HTML I IFRAME IMAGE IMG INPUT ISINDEX KEYGEN LI LINK LISTING
    MAIN MALIGNMARK MARQUEE MATH MENU META MGLYPH MI MN MO MS MTEXT NAV NOBR NOEMBED NOFRAMES NOSCRIPT OBJECT OL
    OPTGROUP OPTION P PARAM PLAINTEXT PRE RB RP RT RTC RUBY S SCRIPT SEARCH SECTION SELECT SMALL SOURCE SPAN STRIKE
    STRONG STYLE SUB SUMMARY SUP SVG TABLE TBODY TD TEMPLATE TEXTAREA TFOOT TH THEAD TITLE TR TRACK TT U UL VAR WBR
    XMP;
    ANNOTATION_XML = "annotation-xml"
}
