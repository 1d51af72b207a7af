//! What can be wrong with columns.

use franking::Operation;

/// Why columns cannot be checked. It shows nothing of what they hold, but for what a producer says of its own failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The producer of the stream failed.
    #[error("the stream of columns failed: {0}")]
    Stream(String),
    /// A structure of the interface is not as the interface has it.
    #[error("the columns are not as Arrow's C data interface has them: {0}")]
    Interface(&'static str),
    /// A column is missing.
    #[error("there is no column {0}")]
    Missing(&'static str),
    /// There are two columns of one name.
    #[error("there are two columns {0}")]
    Repeated(&'static str),
    /// A column has a type that is not read.
    #[error(
        "column {column} has the type {format:?} of Arrow's C data interface: cast it to text or binary"
    )]
    Type {
        /// The column.
        column: &'static str,
        /// Its type, in the words of Arrow's C data interface.
        format: String,
    },
    /// A row of the column of operations has another text than the name of an operation.
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
