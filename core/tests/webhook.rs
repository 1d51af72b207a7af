//! Webhooks are signed and verified as Standard Webhooks 1.0.0 says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use franking::webhook::{Headers, Secret, SecretError, SignError, VerifyError, sign, verify};

/// The vectors of the specification's reference implementations.
const SHARED: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SECRET_KEY: &str =
    "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
const PUBLIC_KEY: &str = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SENT: u64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const BY_SHARED: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const BY_KEY: &str =
    "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
/// Another secret of the same endpoint.
const OTHER: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn secret(text: &str) -> Secret {
    Secret::parse(text).unwrap()
}

fn headers<'h>(signature: &'h str) -> Headers<'h> {
    let pairs = [
        ("webhook-id", ID),
        ("webhook-timestamp", "1614265330"),
        ("webhook-signature", signature),
    ];
    Headers::read(pairs).unwrap()
}

fn verified(secrets: &[&str], signature: &str) -> Result<(), VerifyError> {
    let secrets: Vec<Secret> = secrets.iter().copied().map(secret).collect();
    verify(&secrets, &headers(signature), BODY, SENT, 300)
}

#[test]
fn signatures_are_those_of_the_reference() {
    assert_eq!(sign(&[secret(SHARED)], ID, SENT, BODY).unwrap(), BY_SHARED);
    assert_eq!(sign(&[secret(SECRET_KEY)], ID, SENT, BODY).unwrap(), BY_KEY);
    assert_eq!(verified(&[SHARED], BY_SHARED), Ok(()));
    assert_eq!(verified(&[PUBLIC_KEY], BY_KEY), Ok(()));
    assert_eq!(verified(&[SECRET_KEY], BY_KEY), Ok(()));
}

#[test]
fn while_secrets_rotate_one_of_each_side_is_enough() {
    let both = sign(&[secret(OTHER), secret(SHARED)], ID, SENT, BODY).unwrap();
    assert_eq!(both.split(' ').count(), 2);
    assert_eq!(verified(&[SHARED], &both), Ok(()));
    assert_eq!(verified(&[OTHER], &both), Ok(()));
    assert_eq!(verified(&[OTHER, SHARED], BY_SHARED), Ok(()));
    let mixed = format!("v2,abc {BY_KEY} v1,not-base64 {BY_SHARED}");
    assert_eq!(verified(&[SHARED], &mixed), Ok(()));
    assert_eq!(verified(&[OTHER, PUBLIC_KEY], &mixed), Ok(()));
}

#[test]
fn what_was_changed_or_signed_by_another_does_not_fit() {
    let (secrets, signed) = ([secret(SHARED)], headers(BY_SHARED));
    for end in 0..BODY.len() {
        let error = verify(&secrets, &signed, &BODY[..end], SENT, 300);
        assert_eq!(error, Err(VerifyError::Mismatch));
    }
    assert_eq!(verified(&[OTHER], BY_SHARED), Err(VerifyError::Mismatch));
    let signature = STANDARD.decode(&BY_SHARED[3..]).unwrap();
    for bit in 0..256 {
        let mut wrong = signature.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        let wrong = format!("v1,{}", STANDARD.encode(wrong));
        assert_eq!(verified(&[SHARED], &wrong), Err(VerifyError::Mismatch));
    }
    let short = format!("v1,{}", STANDARD.encode(&signature[..16]));
    assert_eq!(verified(&[SHARED], &short), Err(VerifyError::Mismatch));
    for pairs in [
        ("msg_other", "1614265330"),
        (ID, "1614265331"),
        (ID, "01614265330"),
    ] {
        let all = [
            ("webhook-id", pairs.0),
            ("webhook-timestamp", pairs.1),
            ("webhook-signature", BY_SHARED),
        ];
        let headers = Headers::read(all).unwrap();
        let error = verify(&secrets, &headers, BODY, SENT, 300);
        assert_eq!(error, Err(VerifyError::Mismatch));
    }
}

#[test]
fn a_webhook_counts_for_as_long_as_is_tolerated_and_no_longer() {
    let at = |now, tolerance| verify(&[secret(SHARED)], &headers(BY_SHARED), BODY, now, tolerance);
    assert_eq!(at(SENT + 300, 300), Ok(()));
    assert_eq!(at(SENT + 301, 300), Err(VerifyError::TooOld));
    assert_eq!(at(SENT - 300, 300), Ok(()));
    assert_eq!(at(SENT - 301, 300), Err(VerifyError::TooNew));
    assert_eq!(at(u64::MAX, 0), Err(VerifyError::TooOld));
    assert_eq!(at(0, u64::MAX), Ok(()));
}

#[test]
fn headers_are_found_in_any_case_and_each_has_to_be_there_once() {
    let all = [
        ("Webhook-ID", ID),
        ("WEBHOOK-TIMESTAMP", "1"),
        ("Webhook-Signature", "v1,"),
    ];
    assert_eq!(Headers::read(all).unwrap().id(), ID);
    for (index, name) in ["webhook-id", "webhook-timestamp", "webhook-signature"]
        .iter()
        .enumerate()
    {
        let mut without = all.to_vec();
        let (_, value) = without.remove(index);
        assert_eq!(
            Headers::read(without.clone()).err(),
            Some(VerifyError::HeaderMissing(name))
        );
        without.push((name, ""));
        assert_eq!(
            Headers::read(without.clone()).err(),
            Some(VerifyError::HeaderMissing(name))
        );
        let twice = [without, vec![(*name, value)]].concat();
        assert_eq!(
            Headers::read(twice).err(),
            Some(VerifyError::HeaderRepeated(name))
        );
    }
    for malformed in [
        "+1614265330",
        "-1",
        "1.5",
        " 1",
        "1614265330s",
        "99999999999999999999",
    ] {
        let pairs = [all[0], ("webhook-timestamp", malformed), all[2]];
        let headers = Headers::read(pairs).unwrap();
        let error = verify(&[secret(SHARED)], &headers, BODY, SENT, 300);
        assert_eq!(error, Err(VerifyError::TimestampMalformed), "{malformed}");
    }
}

#[test]
fn a_secret_is_told_what_it_lacks() {
    let shared = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
    for (text, error) in [
        ("", SecretError::Prefix),
        ("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", SecretError::Prefix),
        (
            "whsek_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            SecretError::Prefix,
        ),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", SecretError::Base64),
        ("whsk_AAAA", SecretError::Length),
        (&SECRET_KEY.replace("6Xb/", "6Xb+"), SecretError::Key),
        (&shared(23), SecretError::Length),
        (&shared(65), SecretError::Length),
    ] {
        assert_eq!(Secret::parse(text).err(), Some(error), "{text}");
    }
    for bytes in [24, 64] {
        secret(&shared(bytes));
    }
    // The secret key alone has the same public key.
    let pair = STANDARD.decode(&SECRET_KEY[5..]).unwrap();
    let alone = format!("whsk_{}", STANDARD.encode(&pair[..32]));
    assert_eq!(sign(&[secret(&alone)], ID, SENT, BODY).unwrap(), BY_KEY);
}

#[test]
fn what_cannot_be_signed_or_verified_is_an_error() {
    let signed = |id| sign(&[secret(SHARED)], id, SENT, BODY).err();
    for id in ["", "a.b", "a b", "a\n", "ä"] {
        assert_eq!(signed(id), Some(SignError::IdMalformed), "{id:?}");
    }
    assert_eq!(sign(&[], ID, SENT, BODY), Err(SignError::NoSecret));
    let public = sign(&[secret(SHARED), secret(PUBLIC_KEY)], ID, SENT, BODY);
    assert_eq!(public, Err(SignError::PublicKey));
    assert_eq!(verified(&[], BY_SHARED), Err(VerifyError::NoSecret));
    assert_eq!(verified(&[SHARED], BY_KEY), Err(VerifyError::NoSignature));
    assert_eq!(
        verified(&[PUBLIC_KEY], BY_SHARED),
        Err(VerifyError::NoSignature)
    );
}

#[test]
fn debug_shows_neither_secrets_nor_headers() {
    let shown = format!("{:?} {:?}", secret(SHARED), headers(BY_SHARED));
    assert_eq!(shown, "Secret { .. } Headers { .. }");
}
