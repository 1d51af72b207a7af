//! Folders: of their owner alone, and with names that last.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

/// What a file or a folder that cannot be used needs, in errors for the operator.
pub(crate) const ACCESS: &str =
    "the user who runs this program has to be able to read and write it";

/// Makes a folder, and the folders above it that are missing. Only their owner can read the new folders.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The folder that a file is in.
pub(crate) fn of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// Syncs the names of the files in a folder. Until then, a power loss can undo a new name. A folder that may be written to but
/// not read cannot be synced, and is left to the system.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_folder_in_its_path_is_in_the_current_one() {
        for (file, folder) in [("a", "."), ("./a", "."), ("b/a", "b"), ("/a", "/")] {
            assert_eq!(of(Path::new(file)), Path::new(folder), "{file}");
        }
    }
}
