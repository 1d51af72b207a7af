//! Judges whether a person or a machine that scans mail has followed a link or loaded an image. Nobody can know for certain.
//! A hit that is not clear counts as unknown, and every hit keeps the reason for its judgement.

/// The judgement of a hit: who caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitKind {
    /// A person, as far as anything shows.
    Person,
    /// A scanner, a proxy that loads everything, or a browser that loads in advance.
    Machine,
    /// A person or a machine.
    Unknown,
}

impl HitKind {
    /// Its name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Machine => "machine",
            Self::Unknown => "unknown",
        }
    }
}

/// The reason for the judgement of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitReason {
    /// Its method is HEAD, which no mail program uses.
    Head,
    /// `Sec-Purpose` or `Purpose` says that it is loaded in advance.
    Prefetch,
    /// It names a scanner or another program that is not a browser.
    Scanner,
    /// Apple's proxy, which loads every image of every email.
    AppleProxy,
    /// Google's proxy, which loads an image when it is shown, and sometimes in advance.
    GoogleProxy,
    /// It names no program.
    NoAgent,
    /// It came within seconds of the delivery.
    AtOnce,
    /// Many links of the email were followed at the same moment.
    ManyLinks,
    /// Nothing suggests a machine.
    Nothing,
}

impl HitReason {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Head,
        Self::Prefetch,
        Self::Scanner,
        Self::AppleProxy,
        Self::GoogleProxy,
        Self::NoAgent,
        Self::AtOnce,
        Self::ManyLinks,
        Self::Nothing,
    ];

    /// Its name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Prefetch => "prefetch",
            Self::Scanner => "scanner",
            Self::AppleProxy => "apple proxy",
            Self::GoogleProxy => "google proxy",
            Self::NoAgent => "no agent",
            Self::AtOnce => "at once",
            Self::ManyLinks => "many links",
            Self::Nothing => "nothing",
        }
    }

    /// The reason that has this name in the database.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The judgement that follows from the reason.
    #[must_use]
    pub const fn kind(self) -> HitKind {
        match self {
            Self::Head | Self::Prefetch | Self::Scanner | Self::AppleProxy => HitKind::Machine,
            Self::AtOnce | Self::ManyLinks => HitKind::Machine,
            Self::GoogleProxy | Self::NoAgent => HitKind::Unknown,
            Self::Nothing => HitKind::Person,
        }
    }
}

/// The parts of a request that show who has sent it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'r> {
    /// Whether its method is HEAD.
    pub is_head: bool,
    /// Its header `Sec-Purpose`, or `Purpose`.
    pub purpose: Option<&'r str>,
    /// Its header `User-Agent`.
    pub agent: Option<&'r str>,
}

/// Parts of the names of programs that scan mail or links, in lower case.
const SCANNERS: [&str; 22] = [
    "barracuda",
    "bot",
    "cisco",
    "crawler",
    "curl/",
    "facebookexternalhit",
    "fireeye",
    "go-http-client",
    "headlesschrome",
    "java/",
    "libwww",
    "mimecast",
    "okhttp",
    "preview",
    "proofpoint",
    "python-",
    "scanner",
    "skypeuripreview",
    "sophos",
    "spider",
    "trendmicro",
    "wget",
];

impl Shown<'_> {
    /// The reason that the request alone gives. The time and the hits around it may give another one.
    #[must_use]
    pub fn reason(self) -> HitReason {
        let agent = self.agent.unwrap_or_default().trim();
        let lower = agent.to_ascii_lowercase();
        let purpose = self.purpose.unwrap_or_default().to_ascii_lowercase();
        if self.is_head {
            HitReason::Head
        } else if purpose.contains("prefetch")
            || purpose.contains("prerender")
            || purpose.contains("preview")
        {
            HitReason::Prefetch
        } else if lower.contains("googleimageproxy") {
            HitReason::GoogleProxy
        } else if agent == "Mozilla/5.0" {
            // Apple's proxy sends no other name.
            HitReason::AppleProxy
        } else if agent.is_empty() {
            HitReason::NoAgent
        } else if SCANNERS.iter().any(|scanner| lower.contains(scanner)) {
            HitReason::Scanner
        } else {
            HitReason::Nothing
        }
    }
}

/// A hit, among those of its email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The link's place; `None` for the image.
    pub link: Option<u64>,
    /// The reason that the request alone gave.
    pub shown: HitReason,
    /// When it came, in seconds since 1970.
    pub happened: i64,
}

/// The seconds after an email's first hit at which its hits are decided. A scanner's hits come together.
pub const DECIDED_AFTER: i64 = 10;
/// A hit earlier than this many seconds after the delivery is not a person's.
const AT_ONCE: i64 = 3;
/// Links that are followed within this many seconds count as followed at the same moment.
const MOMENT: i64 = 2;
/// The number of links that no person follows at the same moment.
const MANY: usize = 3;

/// Judges the hits of an email, which are in the order of their times, and returns the reason for each. `delivered` is the
/// time at which the mail server took over the email, in seconds since 1970.
///
/// It takes time in proportion to the hits.
#[must_use]
pub fn judge(hits: &[Hit], delivered: Option<i64>) -> Vec<HitReason> {
    let crowded = crowded(hits);
    let reason = |(hit, is_crowded): (&Hit, bool)| {
        let since = delivered.map(|delivered| hit.happened.saturating_sub(delivered));
        if hit.shown.kind() == HitKind::Machine {
            hit.shown
        } else if is_crowded {
            HitReason::ManyLinks
        } else if since.is_some_and(|since| since < AT_ONCE) {
            HitReason::AtOnce
        } else {
            hit.shown
        }
    };
    hits.iter().zip(crowded).map(reason).collect()
}

/// Whether each hit is one of many links at the same moment.
fn crowded(hits: &[Hit]) -> Vec<bool> {
    let mut crowded = vec![false; hits.len()];
    let mut within = std::collections::BTreeMap::<u64, usize>::new();
    let (mut first, mut marked) = (0_usize, 0_usize);
    for (place, hit) in hits.iter().enumerate() {
        // Hits before this moment leave the window.
        while let Some(old) = hits.get(first)
            && old.happened.saturating_add(MOMENT) < hit.happened
        {
            if let Some(link) = old.link
                && let Some(count) = within.get_mut(&link)
            {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    within.remove(&link);
                }
            }
            first = first.saturating_add(1);
        }
        if let Some(link) = hit.link {
            let count = within.entry(link).or_default();
            *count = count.saturating_add(1);
        }
        if within.len() >= MANY {
            let from = first.max(marked);
            marked = place.saturating_add(1);
            let window = crowded.get_mut(from..marked).unwrap_or_default();
            let hits = hits.get(from..marked).unwrap_or_default();
            for (mark, hit) in window.iter_mut().zip(hits) {
                *mark = hit.link.is_some();
            }
        }
    }
    crowded
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    fn shown(agent: &str) -> HitReason {
        let agent = Some(agent);
        Shown {
            agent,
            ..Shown::default()
        }
        .reason()
    }

    fn click(link: u64, happened: i64) -> Hit {
        let link = Some(link);
        Hit {
            link,
            shown: HitReason::Nothing,
            happened,
        }
    }

    #[test]
    fn a_request_says_by_itself_who_is_no_person() {
        assert_eq!(shown(BROWSER), HitReason::Nothing);
        assert_eq!(shown("Mozilla/5.0"), HitReason::AppleProxy);
        let google = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
        assert_eq!(shown(google), HitReason::GoogleProxy);
        assert_eq!(shown("python-requests/2.32"), HitReason::Scanner);
        assert_eq!(shown("Barracuda Sentinel (EE)"), HitReason::Scanner);
        assert_eq!(shown(" "), HitReason::NoAgent);
        assert_eq!(Shown::default().reason(), HitReason::NoAgent);
        let browser = Shown {
            agent: Some(BROWSER),
            ..Shown::default()
        };
        assert_eq!(
            Shown {
                is_head: true,
                ..browser
            }
            .reason(),
            HitReason::Head
        );
        for purpose in ["prefetch", "Prefetch;prerender", "preview"] {
            let purpose = Some(purpose);
            assert_eq!(Shown { purpose, ..browser }.reason(), HitReason::Prefetch);
        }
    }

    #[test]
    fn who_is_no_person_and_who_may_be_one() {
        let kinds = HitReason::ALL.map(HitReason::kind);
        assert_eq!(
            kinds
                .iter()
                .filter(|kind| **kind == HitKind::Person)
                .count(),
            1
        );
        assert_eq!(HitReason::GoogleProxy.kind(), HitKind::Unknown);
        for reason in HitReason::ALL {
            assert_eq!(HitReason::of(reason.name()), Some(reason));
        }
        assert_eq!(HitReason::of("another"), None);
    }

    #[test]
    fn within_seconds_of_the_delivery_nobody_reads() {
        let hits = [click(0, 100), click(0, 102), click(0, 103)];
        let expected = [HitReason::AtOnce, HitReason::AtOnce, HitReason::Nothing];
        assert_eq!(judge(&hits, Some(100)), expected);
        assert_eq!(judge(&hits, None), [HitReason::Nothing; 3]);
    }

    #[test]
    fn many_links_at_the_same_moment_are_followed_by_a_machine() {
        let hits = [
            click(0, 50),
            click(1, 60),
            click(2, 61),
            click(3, 62),
            click(4, 90),
            click(4, 91),
            click(4, 92),
        ];
        let machine = HitReason::ManyLinks;
        let person = HitReason::Nothing;
        assert_eq!(
            judge(&hits, Some(0)),
            [person, machine, machine, machine, person, person, person]
        );
        // An image that is loaded at the same time is not a link.
        let image = Hit {
            link: None,
            shown: HitReason::Nothing,
            happened: 60,
        };
        let hits = [image, click(1, 60), click(2, 60), click(3, 60)];
        assert_eq!(judge(&hits, Some(0)), [person, machine, machine, machine]);
    }

    #[test]
    fn what_a_request_says_by_itself_is_kept() {
        let head = Hit {
            link: Some(1),
            shown: HitReason::Head,
            happened: 100,
        };
        assert_eq!(judge(&[head], Some(100)), [HitReason::Head]);
    }
}
