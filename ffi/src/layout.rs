//! The layout of every structure. It is asserted here, and in tests/c/layout.h and ffi/abi.txt, which the tool writes from
//! this file. Existing entries never change; a structure that grows gets new ones. No structure has padding.

use core::mem::offset_of;

use crate::size::LaidOut;

/// The size of the member that a function returns.
const fn size_of_member<Structure, Member>(_: fn(&Structure) -> &Member) -> usize {
    size_of::<Member>()
}

macro_rules! layout {
    ($($module:ident $name:ident $size:literal { $($member:ident $offset:literal)* })*) => {
        $(
            // SAFETY: repr(C), and the assertions below find no padding.
            unsafe impl LaidOut for crate::$module::$name {}

            const _: () = {
                use crate::$module::$name as Structure;
                assert!(size_of::<Structure>() == $size && align_of::<Structure>() <= 8);
                $(assert!(offset_of!(Structure, $member) == $offset);)*
                assert!(0 $(+ size_of_member(|row: &Structure| &row.$member))* == $size, "there is padding");
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
        answer_status 60 empty_clears 64 has_placeholders 65 bare_domains 66 hidden_hosts 67 reserved 68 placeholders 72 placeholder_count 80
    }
    rows FrankingAccount 32 {
        size 0 exists 8 blocked 9 expired 10 deactivated 11 has_subscriber_credit 12 has_email_credit 13 reserved 14
        subscriber_credit 16 email_credit 24
    }
    rows FrankingMailer 40 { from 0 from_name 16 exists 32 blacklisted 33 reserved 34 }
    rows FrankingSubscriber 32 { id 0 email 8 inactive 24 blacklisted 25 reserved 26 }
    questions FrankingQuestions 112 {
        size 0 mailers 8 mailer_count 16 senders 24 sender_count 32 subscriber_ids 40 subscriber_id_count 48
        subscribers 56 subscriber_count 64 lists 72 list_count 80 domains 88 domain_roles 96 domain_count 104
    }
    facts FrankingFacts 120 {
        size 0 mailers 8 mailer_count 16 senders 24 sender_count 32 subscriber_ids 40 subscriber_id_count 48
        subscribers 56 subscriber_count 64 lists 72 list_count 80 domain_roles 88 domain_count 96 blacklists 104
        texts 112
    }
    records FrankingField 32 { name 0 value 16 }
    records FrankingNewSubscriber 64 { email 0 match_key 16 list 32 fields 48 field_count 56 }
    records FrankingUpdate 24 { id 0 fields 8 field_count 16 }
    records FrankingRecipient 32 { to 0 subscriber 16 role 24 reserved 28 }
    records FrankingMessage 128 {
        mailer 0 request 8 subject 16 from 32 from_name 48 reply_to 64 custom_field 80 recipients 96
        recipient_count 104 recipient_size 112 encoding 120 track_opens 124 track_clicks 125 has_request 126 reserved 127
    }
    records FrankingCollapsed 56 { request 0 pointer 8 span 24 to 40 }
    records FrankingDebit 16 { email 0 subscriber 8 }
    plan FrankingPlan 152 {
        size 0 call 8 operation 16 reserved 20 debit 24 create 40 create_count 48 create_size 56 update 64 update_count 72
        update_size 80 enlist 88 enlist_count 96 messages 104 message_count 112 message_size 120 collapsed 128
        collapsed_count 136 collapsed_size 144
    }
    commit FrankingCommit 24 { size 0 kind 8 conflict 12 transaction_id 16 }
    driver FrankingHost 40 { size 0 context 8 account 16 facts 24 commit 32 }
    records FrankingDecision 120 {
        size 0 operation 8 code 12 rule 16 failure 20 transaction_id 24 request 32 pointer 40 span 56 response 72
        asked_account 88 asked_facts 96 asked_commits 104 accepted 112 has_request 113 has_span 114 reserved 115
    }
    http FrankingHeader 32 { name 0 value 16 }
    http FrankingHttp 48 { size 0 status 8 reserved 12 headers 16 header_count 24 body 32 }
    records FrankingBlacklistedLink 80 { size 0 request 8 place 16 url 32 span 48 domain 64 }
    records FrankingExplained 16 { rule 0 code 4 judgement 8 reserved 12 }
    records FrankingViolation 80 {
        size 0 rule 8 code 12 request 16 pointer 24 span 40 remedy 56 has_request 72 has_span 73 reserved 74
    }
    records FrankingWarning 80 {
        size 0 kind 8 has_span 12 reserved 13 pointer 16 span 32 detail 48 message 64
    }
    tool_records FrankingLink 80 {
        size 0 place 8 url 24 span 40 hosts 56 host_count 64 readable 72 in_conditional_comment 73
        reserved 74
    }
    tool_records FrankingNotice 128 {
        size 0 id 8 event_type 16 code 20 type_name 24 timestamp 40 transaction_id 56 custom_field 64 recipient 80
        status 96 reason 112
    }
    address FrankingAddress 56 { size 0 match_key 8 domain 24 local_part 40 }
    response FrankingResponse 40 { size 0 code 8 reserved 12 transaction_id 16 status 24 }
}
