//! A transcript that is read and written again is the same document.

use franking::Transcript;

#[test]
fn numbers_that_nobody_looks_at_are_written_as_they_were_read() {
    let head = r#"{"operation":"sendMailer","method":"POST","body":"{}","steps":[],"decision":"#;
    let mut digits: u64 = 1;
    for exponent in -300..290 {
        // A linear congruential generator of numbers with 16 and 17 digits, which are the hardest to read exactly.
        digits = digits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let number = format!("{}e{exponent}", digits >> 8);
        let transcript = Transcript::from_json(&format!("{head}{number}}}")).unwrap();
        let written = transcript.to_json();
        let again = Transcript::from_json(&written).unwrap().to_json();
        assert_eq!(again, written, "{number}");
    }
}
