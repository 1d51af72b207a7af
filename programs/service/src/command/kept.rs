//! Commands that a page of the desk carries out. The page gets what the command prints, asks what the command would ask at a
//! terminal, and provides a text in place of standard input.

use std::cell::RefCell;

use super::listing::Printed;

/// How far a command goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Up to the change: the command says what it would change, and stops.
    Question,
    /// To its end.
    Whole,
}

/// For whom a command is carried out, and how.
#[derive(Clone)]
pub(crate) struct ForPage {
    /// The operator.
    pub(crate) operator: String,
    /// How far it goes.
    pub(crate) extent: Extent,
    /// Whether it shows personal data.
    pub(crate) unmasks: bool,
    /// What it reads in place of standard input.
    pub(crate) input: Vec<u8>,
}

impl ForPage {
    /// For an operator, without personal data and without input.
    pub(crate) fn of(operator: &str, extent: Extent) -> Self {
        Self {
            operator: operator.to_owned(),
            extent,
            unmasks: false,
            input: Vec::new(),
        }
    }
}

struct Kept {
    page: ForPage,
    printed: RefCell<Vec<Printed>>,
}

tokio::task_local! {
    static KEPT: Kept;
}

/// Runs a command for a page, and keeps what it prints.
pub(crate) async fn keep<E>(
    page: ForPage,
    command: impl Future<Output = Result<(), E>>,
) -> Result<Vec<Printed>, E> {
    let kept = Kept {
        page,
        printed: RefCell::default(),
    };
    KEPT.scope(kept, async {
        command.await?;
        Ok(KEPT.with(|kept| kept.printed.take()))
    })
    .await
}

/// The page that a command is carried out for; `None` at a terminal.
pub(super) fn page() -> Option<ForPage> {
    KEPT.try_with(|kept| kept.page.clone()).ok()
}

/// Keeps printed output if the command runs for a page. Otherwise returns it as the error.
pub(super) fn kept(printed: Printed) -> Result<(), Printed> {
    let mut printed = Some(printed);
    let _ = KEPT.try_with(|kept| {
        let mut kept = kept.printed.borrow_mut();
        match (kept.last_mut(), printed.take()) {
            (Some(Printed::Text(before)), Some(Printed::Text(text))) => before.push_str(&text),
            (_, Some(printed)) => kept.push(printed),
            (_, None) => {}
        }
    });
    printed.map_or(Ok(()), Err)
}
