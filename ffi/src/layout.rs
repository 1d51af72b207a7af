//! The layout of every structure, asserted here, and in the header and in ffi/abi.txt, which the tool writes from this
//! file: where a pointer has 8 bytes. What stands here is never changed; a structure that grows gets new lines.

#![cfg(target_pointer_width = "64")]

use core::mem::offset_of;

macro_rules! layout {
    ($($module:ident $name:ident $size:literal { $($member:ident $offset:literal)* })*) => {
        $(
            const _: () = {
                use crate::$module::$name as Structure;
                assert!(size_of::<Structure>() == $size && align_of::<Structure>() <= 8);
                $(assert!(offset_of!(Structure, $member) == $offset);)*
            };
        )*
    };
}

layout! {
    text FrankingText 16 { data 0 len 8 }
    text FrankingBytes 16 { data 0 len 8 }
    text FrankingSpan 16 { start 0 end 8 }
    policy FrankingMarks 32 { open 0 close 16 }
    policy FrankingSettings 88 {
        size 0 max_requests 8 max_bytes 16 max_attempts 24 today 32 batch 48 html_encoding 52 answer_values 56
        answer_status 60 empty_clears 64 has_placeholders 68 placeholders 72 placeholder_count 80
    }
    facts FrankingAccount 32 {
        size 0 exists 8 blocked 9 expired 10 deactivated 11 has_subscriber_credit 12 has_email_credit 13 reserved 14
        subscriber_credit 16 email_credit 24
    }
    facts FrankingMailer 40 { from 0 from_name 16 exists 32 blacklisted 33 reserved 34 }
    facts FrankingSubscriber 32 { id 0 email 8 inactive 24 blacklisted 25 reserved 26 }
    plan FrankingDebit 24 { size 0 email 8 subscriber 16 }
    plan FrankingField 32 { name 0 value 16 }
    plan FrankingNewSubscriber 56 { size 0 email 8 match_key 24 list 40 }
    plan FrankingMessage 112 {
        size 0 request 8 mailer 16 subject 24 from 40 from_name 56 reply_to 72 custom_field 88 encoding 104
        track_opens 108 track_clicks 109 reserved 110
    }
    plan FrankingRecipient 32 { to 0 subscriber 16 role 24 reserved 28 }
    plan FrankingCollapsed 64 { size 0 request 8 pointer 16 span 32 to 48 }
    decision FrankingDecision 120 {
        size 0 operation 8 code 12 rule 16 host_error 20 transaction_id 24 request 32 pointer 40 span 56 answer 72
        asked_account 88 asked_facts 96 asked_commits 104 has_span 112 accepted 113 reserved 114
    }
    decision FrankingExplained 16 { rule 0 code 4 judgement 8 reserved 12 }
    violations FrankingViolation 64 {
        size 0 rule 8 code 12 request 16 pointer 24 span 40 has_span 56 reserved 57
    }
    violations FrankingWarning 80 {
        size 0 kind 8 has_span 12 reserved 13 pointer 16 span 32 detail 48 message 64
    }
    html FrankingLink 80 {
        size 0 place 8 url 24 span 40 hosts 56 host_count 64 readable 72 in_conditional_comment 73
        reserved 74
    }
    decision FrankingBlacklistedLink 80 { size 0 request 8 place 16 url 32 span 48 domain 64 }
    columns FrankingQuestions 112 {
        size 0 mailers 8 mailer_count 16 senders 24 sender_count 32 subscriber_ids 40 subscriber_id_count 48
        subscribers 56 subscriber_count 64 lists 72 list_count 80 domains 88 domain_roles 96 domain_count 104
    }
    columns FrankingAnswers 128 {
        size 0 mailers 8 mailer_count 16 mailer_size 24 senders 32 sender_count 40 subscriber_ids 48
        subscriber_id_count 56 subscribers 64 subscriber_count 72 subscriber_size 80 lists 88 list_count 96
        domain_roles 104 domain_count 112 blacklists 120
    }
    plan FrankingSinglePlan 128 {
        size 0 mailer 8 subscriber 16 to 24 match_key 40 list 56 from 72 from_name 88 custom_field 104 track_opens 120
        track_clicks 121 reserved 122
    }
    driver FrankingCommit 24 { size 0 transaction_id 8 conflict 16 reserved 20 }
    driver FrankingHost 40 { size 0 context 8 account 16 facts 24 commit 32 }
    send_mailer FrankingSendMailerHost 48 { size 0 context 8 account 16 facts 24 commit 32 decided 40 }
}
