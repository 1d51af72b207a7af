use super::Policy;

#[test]
fn a_policy_of_the_defaults_is_shared_however_it_was_made() {
    let from_json = Policy::from_json("{}").expect("no setting is wrong");
    let built = from_json.to_builder().build().expect("no setting is wrong");
    for policy in [Policy::default(), from_json, built] {
        assert!(policy.0.is_none(), "{policy:?}");
    }
}

#[test]
fn a_policy_that_differs_keeps_its_own_settings() {
    let differs = Policy::builder().max_attempts(5).build();
    let differs = differs.expect("no setting is wrong");
    assert!(differs.0.is_some());
    assert_eq!(differs.max_attempts(), 5);
    assert_eq!(Policy::default().max_attempts(), 3);
    assert_ne!(differs, Policy::default());
}
