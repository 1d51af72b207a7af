//! A reader that closes the output of a command before its end, as `head` does.

use std::error::Error;
use std::io;

/// Whether an error says that the reader has closed the output. The writers of CSV and JSON have errors of their own around
/// it.
pub(super) fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let of_csv = |error: &csv::Error| match error.kind() {
        csv::ErrorKind::Io(error) => Some(error.kind()),
        _ => None,
    };
    let kinds = [
        error.downcast_ref::<io::Error>().map(io::Error::kind),
        error.downcast_ref::<csv::Error>().and_then(of_csv),
        error
            .downcast_ref::<serde_json::Error>()
            .and_then(serde_json::Error::io_error_kind),
    ];
    kinds.contains(&Some(io::ErrorKind::BrokenPipe))
}

/// What came of printing, for a command whose status does not depend on how much of it is read.
pub(super) fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if is_closed_pipe(&error) => Ok(()),
        printed => printed,
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    /// A writer that fails.
    struct Failing(io::ErrorKind);

    impl io::Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn a_closed_pipe_is_told_from_a_full_disk_also_in_the_errors_of_csv_and_json() {
        for (kind, is_closed) in [
            (io::ErrorKind::BrokenPipe, true),
            (io::ErrorKind::StorageFull, false),
        ] {
            assert_eq!(is_closed_pipe(&io::Error::from(kind)), is_closed);
            let mut writer = csv::WriterBuilder::new()
                .buffer_capacity(1)
                .from_writer(Failing(kind));
            let error = writer.write_record(["long", "er"]).unwrap_err();
            assert_eq!(is_closed_pipe(&error), is_closed);
            let error = serde_json::to_writer(Failing(kind), &1).unwrap_err();
            assert_eq!(is_closed_pipe(&error), is_closed);
            assert_eq!(unless_closed(Err(kind.into())).is_ok(), is_closed);
        }
    }
}
