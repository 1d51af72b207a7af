//! The errors of columns.

use franking::Operation;

/// The reason why columns cannot be checked. It shows nothing of their contents, except what a producer says of its own
/// failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The producer of the stream failed.
    #[error("the stream of columns failed: {0}")]
    Stream(String),
    /// A structure does not follow the interface.
    #[error("the columns are not as Arrow's C data interface has them: {0}")]
    Interface(&'static str),
    /// A column is missing.
    #[error("there is no column {0}")]
    Missing(&'static str),
    /// Two columns have the same name.
    #[error("there are two columns {0}")]
    Repeated(&'static str),
    /// A column has a type that is not supported.
    #[error(
        "column {column} has the type {format:?} of Arrow's C data interface: cast it to text or binary"
    )]
    Type {
        /// The column.
        column: &'static str,
        /// Its type, as a format string of Arrow's C data interface.
        format: String,
    },
    /// A text in the column of operations is not the name of an operation.
    #[error(
        "row {row} of column operation is not the name of an operation: {}",
        names()
    )]
    Operation {
        /// The number of the row in the whole stream, from 0.
        row: u64,
    },
    /// More rows, or more bytes, than an Arrow column of this type can have.
    #[error("one batch has more violations than a column holds: send fewer rows in a batch")]
    TooLarge,
    /// A fault of the library.
    #[error("franking failed: a fault of the library, please report it")]
    Internal,
}

/// The names of all operations.
fn names() -> String {
    let names: Vec<_> = Operation::ALL.iter().map(|own| own.name()).collect();
    names.join(", ")
}
