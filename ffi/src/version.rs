//! The version of the library.

use crate::text::FrankingText;

/// The version of the library that runs, such as 0.1.0; FRANKING_VERSION is that of the header. Lives forever.
#[unsafe(no_mangle)]
pub extern "C" fn franking_version() -> FrankingText {
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    FrankingText::new(VERSION)
}

/// The version as one number: major * 1000000 + minor * 1000 + patch; FRANKING_VERSION_NUMBER is that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn franking_version_number() -> u32 {
    use crate::constants::FRANKING_VERSION_NUMBER;
    FRANKING_VERSION_NUMBER
}
