//! The host's settings.

use franking_core::date;
use franking_core::{
    AnswerStatus, AnswerValues, Batch, HiddenHosts, HtmlEncoding, Policy, PolicyError,
};

use crate::constants::{
    FRANKING_ANSWER_STATUS_WORD, FRANKING_ANSWER_VALUES_STRINGS, FRANKING_BATCH_WHOLE,
    FRANKING_HIDDEN_HOSTS_REFUSE, FRANKING_HTML_ENCODING_DETECT,
};
use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{check_out, get, put_out, run_alone};
use crate::numbers::setting;
use crate::size::{Grows, check_reserved, init_sized, read_sized, write_sized};
use crate::status::{FRANKING_STATUS_POLICY, Fail, Outcome};
use crate::text::{FrankingString, FrankingText, first, slice};

/// A pair of marks. A text between them is a personalization placeholder.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingMarks {
    /// The mark before the placeholder.
    pub open: FrankingText,
    /// The mark after the placeholder; may equal open.
    pub close: FrankingText,
}

/// The settings of a host. Start from FRANKING_SETTINGS_INIT, which holds the defaults, or from franking_policy_settings.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingSettings {
    /// sizeof(franking_settings).
    pub size: usize,
    /// The most requests that one httpSendMail call may carry, 1 to 2147483647; default 1000.
    pub max_requests: u64,
    /// The most bytes that the body of an httpSendMail call may have, 1 to 2147483647; default 33554432.
    pub max_bytes: u64,
    /// The number of times that a plan is handed out for one call before a conflict becomes the answer, 1 to 2147483647;
    /// default 3.
    pub max_attempts: u64,
    /// The host's current day, yyyy-mm-dd. httpSendMail is retired when this day is after its last day. data NULL: it is
    /// never retired.
    pub today: FrankingText,
    /// One of FRANKING_BATCH.
    pub batch: i32,
    /// One of FRANKING_HTML_ENCODING.
    pub html_encoding: i32,
    /// One of FRANKING_ANSWER_VALUES.
    pub answer_values: i32,
    /// One of FRANKING_ANSWER_STATUS.
    pub answer_status: i32,
    /// Not 0: an empty string clears a stored personalization value. 0: it counts as absent.
    pub empty_clears: u8,
    /// Not 0: the pairs in placeholders are used. 0: those of common mailing systems.
    pub has_placeholders: u8,
    /// Not 0: a bare domain in text (shop.example) counts as a link, because many mail readers make it one.
    pub bare_domains: u8,
    /// One of FRANKING_HIDDEN_HOSTS.
    pub hidden_hosts: u8,
    /// Leave 0.
    pub reserved: [u8; 4],
    /// The pairs of marks: placeholder_count of them.
    pub placeholders: *const FrankingMarks,
    /// The number of pairs. If it is 0, there are no placeholders.
    pub placeholder_count: usize,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingSettings {
    const FIRST: usize = 88;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        max_requests: 1000,
        max_bytes: 33_554_432,
        max_attempts: 3,
        today: FrankingText::NONE,
        batch: FRANKING_BATCH_WHOLE,
        html_encoding: FRANKING_HTML_ENCODING_DETECT,
        answer_values: FRANKING_ANSWER_VALUES_STRINGS,
        answer_status: FRANKING_ANSWER_STATUS_WORD,
        empty_clears: 0,
        has_placeholders: 0,
        bare_domains: 0,
        hidden_hosts: FRANKING_HIDDEN_HOSTS_REFUSE as u8,
        reserved: [0; 4],
        placeholders: core::ptr::null(),
        placeholder_count: 0,
    };
}

/// Writes FRANKING_SETTINGS_INIT, the defaults. size is sizeof(franking_settings).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_settings_init(settings: *mut FrankingSettings, size: usize) {
    // SAFETY: the caller passes NULL or a structure of that size.
    unsafe { init_sized(settings, size) };
}

/// The settings of a host, checked once. Never changes, so it may be shared between threads and used for any number of
/// calls. Owned: free it with franking_policy_free. Calls that were made with it remain valid.
pub struct FrankingPolicy(Inside);

struct Inside {
    policy: Policy,
    today: Option<String>,
    marks: Vec<FrankingMarks>,
}

// SAFETY: the marks point into the policy, which never changes.
unsafe impl Send for Inside {}
// SAFETY: as above.
unsafe impl Sync for Inside {}

impl FrankingPolicy {
    fn new(policy: Policy) -> *mut Self {
        let marks = |policy: &Policy| {
            policy
                .placeholders()
                .iter()
                .map(|(open, close)| FrankingMarks {
                    open: FrankingText::new(open),
                    close: FrankingText::new(close),
                })
                .collect()
        };
        boxed(Self(Inside {
            today: policy.today().map(|day| day.to_string()),
            marks: marks(&policy),
            policy,
        }))
    }

    pub(crate) fn get(&self) -> &Policy {
        &self.0.policy
    }
}

pub(crate) fn policy_fail(error: PolicyError) -> Fail {
    Fail::new(FRANKING_STATUS_POLICY, error.to_string()).with_key(error.key())
}

/// Makes a policy from settings. If settings is NULL, it has the defaults.
///
/// Fails with FRANKING_STATUS_POLICY when a setting is invalid; franking_error_key names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_new(
    settings: *const FrankingSettings,
    policy: *mut *mut FrankingPolicy,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(policy, "policy")?;
        let built = if settings.is_null() {
            Policy::default()
        } else {
            // SAFETY: the caller passes settings that begin with their size.
            let settings = unsafe { read_sized(settings, "settings") }?;
            // SAFETY: the caller passes settings whose texts can be read.
            unsafe { build(&settings) }?
        };
        // SAFETY: checked above.
        unsafe { put_out(policy, FrankingPolicy::new(built)) }
    })
}

/// # Safety
/// The texts of the settings can be read.
unsafe fn build(settings: &FrankingSettings) -> Outcome<Policy> {
    check_reserved(settings.reserved == [0; 4])?;
    let mut builder = Policy::builder()
        .max_requests(settings.max_requests)
        .max_bytes(settings.max_bytes)
        .max_attempts(settings.max_attempts)
        .batch(setting(settings.batch, "batch", Batch::from_number)?)
        .html_encoding(setting(
            settings.html_encoding,
            "html_encoding",
            HtmlEncoding::from_number,
        )?)
        .answer_values(setting(
            settings.answer_values,
            "answer_values",
            AnswerValues::from_number,
        )?)
        .answer_status(setting(
            settings.answer_status,
            "answer_status",
            AnswerStatus::from_number,
        )?)
        .empty_clears(settings.empty_clears != 0)
        .hidden_hosts(setting(
            settings.hidden_hosts.into(),
            "hidden_hosts",
            HiddenHosts::from_number,
        )?)
        .bare_domains(settings.bare_domains != 0);
    // SAFETY: as demanded of the caller.
    if let Some(today) = unsafe { settings.today.read_option("today") }? {
        let day = date::parse(today).map_err(|error| {
            let message = format!("the policy's today cannot be used: {error}");
            Fail::new(FRANKING_STATUS_POLICY, message).with_key("today")
        })?;
        builder = builder.today(Some(day));
    }
    if settings.has_placeholders != 0 {
        let count = settings.placeholder_count;
        // SAFETY: as demanded of the caller.
        let marks = unsafe { slice(settings.placeholders, count, "placeholders") }?;
        let mut pairs = Vec::with_capacity(marks.len());
        for marks in marks {
            // SAFETY: as demanded of the caller.
            let open = unsafe { marks.open.read("a placeholder's open") }?;
            // SAFETY: as demanded of the caller.
            let close = unsafe { marks.close.read("a placeholder's close") }?;
            pairs.push((open, close));
        }
        builder = builder.placeholders(pairs);
    }
    builder.build().map_err(policy_fail)
}

/// Makes a policy from its JSON form: an object with any of the keys max_requests, max_bytes, max_attempts, today, batch,
/// empty_clears, html_encoding, placeholders, answer_values, answer_status, hidden_hosts and bare_domains.
///
/// Fails with FRANKING_STATUS_POLICY when the text is not such a form; franking_error_key names the key at fault, or is
/// policy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_from_json(
    json: FrankingText,
    policy: *mut *mut FrankingPolicy,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(policy, "policy")?;
        // SAFETY: the caller passes a text that can be read.
        let json = unsafe { json.read("json") }?;
        let built = Policy::from_json(json).map_err(policy_fail)?;
        // SAFETY: checked above.
        unsafe { put_out(policy, FrankingPolicy::new(built)) }
    })
}

/// Writes the JSON form of a policy, with every key. The string is owned: free it with franking_string_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_to_json(
    policy: *const FrankingPolicy,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?;
        check_out(json, "json")?;
        let text = policy.get().to_json();
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)?) }
    })
}

/// Writes the settings of a policy. Texts and placeholders live until the policy is freed.
///
/// settings->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_settings(
    policy: *const FrankingPolicy,
    settings: *mut FrankingSettings,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?;
        let own = &policy.0;
        let policy = &own.policy;
        let value = FrankingSettings {
            size: size_of::<FrankingSettings>(),
            max_requests: policy.max_requests(),
            max_bytes: policy.max_bytes(),
            max_attempts: policy.max_attempts(),
            today: FrankingText::from_option(own.today.as_deref()),
            batch: i32::from(policy.batch().number()),
            html_encoding: i32::from(policy.html_encoding().number()),
            answer_values: i32::from(policy.answer_values().number()),
            answer_status: i32::from(policy.answer_status().number()),
            empty_clears: u8::from(policy.empty_clears()),
            has_placeholders: 1,
            bare_domains: u8::from(policy.bare_domains()),
            hidden_hosts: policy.hidden_hosts().number() as u8,
            reserved: [0; 4],
            placeholders: first(&own.marks),
            placeholder_count: own.marks.len(),
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(settings, "settings", value) }
    })
}

/// Frees a policy. Calls and preflights that were made with it remain valid. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_policy_free(policy: *mut FrankingPolicy) {
    // SAFETY: the caller passes NULL or a policy that was not freed.
    unsafe { free(policy) };
}
