//! Decides a call over a database in a file, and prints the answer and what waits to be sent.
//!
//! ```text
//! echo '{"apiKey": "demo-key", "mailerID": 42, "email": "new@example.org"}' > body.json
//! cargo run --example host -- shop.db sendMailer body.json
//! ```

use std::error::Error;
use std::path::Path;

use franking::{Call, Operation, Policy, decide};
use franking_examples::Store;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(database), Some(name), Some(file)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: host DATABASE sendMailer|httpSendMail FILE".into());
    };
    let operation =
        Operation::from_name(&name).ok_or("the operation is sendMailer or httpSendMail")?;
    let mut store = Store::open(Path::new(&database))?;

    let mut call = Call::new(&Policy::default(), operation, "POST", std::fs::read(file)?);
    let decision = decide(&mut call, &mut store)?;
    match decision.response() {
        Some(response) => println!("{response}"),
        // Whether anything was carried out, and what to do, depends on the failure.
        None => {
            let failure = decision.failure().map(|failure| failure.to_string());
            return Err(failure.unwrap_or_default().into());
        }
    }
    for (recipient, subject) in store.emails()? {
        println!("waits: {subject} to {recipient}");
    }
    Ok(())
}
