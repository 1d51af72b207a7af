//! The key file. Its keys seal the secrets that the service has to read again. The database alone has these secrets, and
//! has them only sealed.
//!
//! Each line of the file is a key: its id, and its 32 bytes as hexadecimal digits. A file has one or two keys. The last key
//! seals. The key before it still opens what it sealed earlier.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;
use tempfile::{Builder, NamedTempFile, PersistError};

use crate::{folders, hex};

/// The most keys of a file: the old one and the new one of a rotation.
const MOST: usize = 2;
/// The length of a key.
const LENGTH: usize = 32;
/// The beginning of a sealed text: the form, and the key's id.
const FORM: u8 = 1;
const HEAD: usize = 2;

/// Why a key file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The file cannot be made or read.
    #[error("cannot use the key file {} ({})", .0.display(), folders::ACCESS)]
    Files(PathBuf, #[source] io::Error),
    /// Users other than its owner may read or write it.
    #[error("other users can read or write the key file {}: run chmod 600 on it", .0.display())]
    Public(PathBuf),
    /// It does not hold one or two keys.
    #[error(
        "{} is not a key file: expected one or two lines, each with a number from 1 to 255 and 64 hexadecimal digits",
        .0.display()
    )]
    Malformed(PathBuf),
    /// The system has no random numbers.
    #[error("the system has no random numbers")]
    Random,
}

/// Why a text cannot be sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// It was sealed by a key that is not in the file any more.
    #[error("it is sealed with key {0}, which is not in the key file")]
    UnknownKey(u8),
    /// It is not a sealed text, or was changed, or was sealed for something else.
    #[error("it is not a sealed text, or it was sealed for something else")]
    Broken,
    /// The system has no random numbers.
    #[error("the system has no random numbers")]
    Random,
}

/// The keys of a file. Debug shows their ids.
#[derive(Clone)]
pub struct KeyFile {
    /// In the order of the file; the last one seals.
    keys: Vec<Key>,
}

#[derive(Clone, PartialEq, Eq)]
struct Key {
    id: u8,
    bytes: [u8; LENGTH],
}

impl KeyFile {
    /// Reads the key file. If it is missing, first makes one with a single key. Only its owner can read the file.
    ///
    /// # Errors
    /// [`KeyFileError`]
    pub fn make(path: &Path) -> Result<Self, KeyFileError> {
        if !path.exists() {
            let key = Key::random(1)?;
            match write(path, &[key], |file, path| file.persist_noclobber(path)) {
                // Another process has made one in the meantime.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                written => written.map_err(|error| KeyFileError::Files(path.to_owned(), error))?,
            }
        }
        Self::read(path)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`KeyFileError`]
    pub fn read(path: &Path) -> Result<Self, KeyFileError> {
        let of_file = |error| KeyFileError::Files(path.to_owned(), error);
        let mode = fs::metadata(path).map_err(of_file)?.mode();
        if mode & 0o077 != 0 {
            return Err(KeyFileError::Public(path.to_owned()));
        }
        let text = fs::read_to_string(path).map_err(of_file)?;
        let keys: Option<Vec<Key>> = text.lines().map(Key::parse).collect();
        let keys = keys.filter(|keys| {
            let first = keys.first().map(|key| key.id);
            let others = keys.get(1..).unwrap_or_default();
            let are_apart = others.iter().all(|key| Some(key.id) != first);
            (1..=MOST).contains(&keys.len()) && are_apart
        });
        let keys = keys.ok_or_else(|| KeyFileError::Malformed(path.to_owned()))?;
        Ok(Self { keys })
    }

    /// Reads a file if it exists.
    ///
    /// # Errors
    /// [`KeyFileError`]
    pub fn read_if_there(path: &Path) -> Result<Option<Self>, KeyFileError> {
        match path.exists() {
            true => Self::read(path).map(Some),
            false => Ok(None),
        }
    }

    /// Adds a new key, which seals from now on. The key that sealed until now still opens, and an older key is removed.
    ///
    /// # Errors
    /// [`KeyFileError`]
    pub fn rotate(path: &Path) -> Result<Self, KeyFileError> {
        let last = Self::read(path)?.keys.pop();
        let last = last.ok_or_else(|| KeyFileError::Malformed(path.to_owned()))?;
        // 0 is not an id.
        let new = Key::random(last.id.checked_add(1).unwrap_or(1))?;
        let written = write(path, &[last, new], |file, path| file.persist(path));
        written.map_err(|error| KeyFileError::Files(path.to_owned(), error))?;
        Self::read(path)
    }

    /// Derives a key for one purpose, such as `"return path"`, from each key of the file. Returns each with the id of the
    /// file's key, the newest first. A derived key is the HMAC-SHA256 of the purpose, and reveals nothing about any other key.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> Vec<(u8, [u8; LENGTH])> {
        let purpose = ["franking key: ", purpose].concat();
        let derive = |key: &Key| {
            let tag = hmac::sign(
                &hmac::Key::new(hmac::HMAC_SHA256, &key.bytes),
                purpose.as_bytes(),
            );
            let mut derived = [0; LENGTH];
            derived
                .iter_mut()
                .zip(tag.as_ref())
                .for_each(|(derived, byte)| *derived = *byte);
            (key.id, derived)
        };
        self.keys.iter().rev().map(derive).collect()
    }

    /// Seals a text with AES-256-GCM. It can be opened only for the same purpose, such as `"webhook 7"`. A key seals at most
    /// 2^32 texts (NIST SP 800-38D, 8.3).
    ///
    /// # Errors
    /// [`SealError::Random`]
    pub fn seal(&self, purpose: &str, text: &[u8]) -> Result<Vec<u8>, SealError> {
        let key = self.keys.last().ok_or(SealError::Broken)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| SealError::Random)?;
        let head = [FORM, key.id];
        let mut sealed = text.to_vec();
        key.cipher()?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                bound_to(head, purpose),
                &mut sealed,
            )
            .map_err(|_| SealError::Broken)?;
        Ok([head.as_slice(), &nonce, &sealed].concat())
    }

    /// Opens a text that was sealed for this purpose.
    ///
    /// # Errors
    /// [`SealError::UnknownKey`] and [`SealError::Broken`]
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        let (head, rest) = sealed
            .split_first_chunk::<HEAD>()
            .ok_or(SealError::Broken)?;
        let (nonce, rest) = rest
            .split_first_chunk::<NONCE_LEN>()
            .ok_or(SealError::Broken)?;
        let [FORM, id] = *head else {
            return Err(SealError::Broken);
        };
        let key = self.keys.iter().find(|key| key.id == id);
        let key = key.ok_or(SealError::UnknownKey(id))?;
        let mut text = rest.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let length = key
            .cipher()?
            .open_in_place(nonce, bound_to(*head, purpose), &mut text)
            .map_err(|_| SealError::Broken)?
            .len();
        text.truncate(length);
        Ok(text)
    }
}

/// The data that a sealed text is bound to besides its key.
fn bound_to(head: [u8; HEAD], purpose: &str) -> Aad<Vec<u8>> {
    Aad::from([head.as_slice(), purpose.as_bytes()].concat())
}

impl Key {
    fn random(id: u8) -> Result<Self, KeyFileError> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(|_| KeyFileError::Random)?;
        Ok(Self { id, bytes })
    }

    fn parse(line: &str) -> Option<Self> {
        let (id, digits) = line.split_once(' ')?;
        let id = id.parse().ok().filter(|id| *id > 0)?;
        let bytes = hex::bytes(digits)?;
        Some(Self { id, bytes })
    }

    fn cipher(&self) -> Result<LessSafeKey, SealError> {
        let key = UnboundKey::new(&AES_256_GCM, &self.bytes);
        key.map(LessSafeKey::new).map_err(|_| SealError::Broken)
    }
}

/// Writes a new file that only its owner can read, and then gives it its name with `name`, so that the file is whole at
/// every moment. Until then it has a name that no other file has, so a file that a killed process has left does no harm.
fn write(
    path: &Path,
    keys: &[Key],
    name: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
) -> io::Result<()> {
    let folder = folders::of(path);
    fs::create_dir_all(folder)?;
    let mut file = Builder::new()
        .prefix(path.file_name().unwrap_or_default())
        .suffix(".new")
        .tempfile_in(folder)?;
    for Key { id, bytes } in keys {
        writeln!(file, "{id} {}", hex::digits(bytes))?;
    }
    file.as_file().sync_all()?;
    name(file, path)?;
    folders::sync(folder)
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<u8> = self.keys.iter().map(|key| key.id).collect();
        f.debug_struct("KeyFile").field("ids", &ids).finish()
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_file_is_its_owners_alone_and_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("franking.key");
        let made = KeyFile::make(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let sealed = made.seal("a", b"secret").unwrap();
        let again = KeyFile::make(&path).unwrap();
        assert_eq!(again.open("a", &sealed).unwrap(), b"secret");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(KeyFile::read(&path), Err(KeyFileError::Public(_))));
        assert_eq!(format!("{made:?}"), "KeyFile { ids: [1] }");
    }

    #[test]
    fn what_a_killed_process_left_does_not_prevent_a_new_key_file_or_a_new_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("franking.key");
        fs::write(folder.path().join("franking.key.new"), "1 ").unwrap();
        let first = KeyFile::make(&path).unwrap().seal("a", b"1").unwrap();
        let keys = KeyFile::rotate(&path).unwrap();
        assert_eq!(keys.open("a", &first).unwrap(), b"1");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        // Nothing else is left.
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn a_key_file_that_another_process_makes_at_the_same_time_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("franking.key");
        let sealed = KeyFile::make(&path).unwrap().seal("a", b"1").unwrap();
        let key = Key::random(1).unwrap();
        let made = write(&path, &[key], |file, path| file.persist_noclobber(path));
        assert_eq!(made.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let kept = KeyFile::read(&path).unwrap();
        assert_eq!(kept.open("a", &sealed).unwrap(), b"1");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn what_is_sealed_opens_for_its_purpose_alone_and_unchanged_alone() {
        let folder = tempfile::tempdir().unwrap();
        let keys = KeyFile::make(&folder.path().join("key")).unwrap();
        let sealed = keys.seal("webhook 7", b"secret").unwrap();
        assert_ne!(sealed, keys.seal("webhook 7", b"secret").unwrap());
        assert_eq!(keys.open("webhook 7", &sealed).unwrap(), b"secret");
        assert_eq!(keys.open("webhook 8", &sealed), Err(SealError::Broken));
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            if let Some(byte) = changed.get_mut(place) {
                *byte ^= 1;
            }
            assert!(keys.open("webhook 7", &changed).is_err(), "{place}");
        }
        for length in 0..sealed.len() {
            let cut = sealed.get(..length).unwrap();
            assert!(keys.open("webhook 7", cut).is_err(), "{length}");
        }
        let other = KeyFile::make(&folder.path().join("other")).unwrap();
        assert_eq!(other.open("webhook 7", &sealed), Err(SealError::Broken));
    }

    #[test]
    fn two_keys_open_and_the_new_one_seals() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let first = KeyFile::make(&path).unwrap().seal("a", b"1").unwrap();
        let keys = KeyFile::rotate(&path).unwrap();
        assert_eq!(keys.open("a", &first).unwrap(), b"1");
        let second = keys.seal("a", b"2").unwrap();
        let keys = KeyFile::rotate(&path).unwrap();
        assert_eq!(keys.open("a", &second).unwrap(), b"2");
        assert_eq!(keys.open("a", &first), Err(SealError::UnknownKey(1)));
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn each_purpose_has_keys_of_its_own_and_the_newest_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let one = KeyFile::make(&path).unwrap();
        let first = one.derived("a");
        assert_eq!(first.len(), 1);
        assert_ne!(first, one.derived("b"));
        assert_ne!(first.first().unwrap().1, one.keys.first().unwrap().bytes);
        let two = KeyFile::rotate(&path).unwrap().derived("a");
        assert_eq!(two.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(two.last(), first.first());
        assert_ne!(two.first().unwrap().1, two.last().unwrap().1);
    }

    #[test]
    fn a_file_of_something_else_is_no_key_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let digits = "0f".repeat(32);
        for text in [
            String::new(),
            "x".to_owned(),
            format!("0 {digits}\n"),
            format!("256 {digits}\n"),
            format!("1 {digits}0f\n"),
            format!("1 +f{}\n", "0f".repeat(31)),
            format!("1 {digits}\n1 {digits}\n"),
            format!("1 {digits}\n2 {digits}\n3 {digits}\n"),
        ] {
            fs::write(&path, &text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            let read = KeyFile::read(&path);
            assert!(matches!(read, Err(KeyFileError::Malformed(_))), "{text}");
        }
        fs::write(&path, format!("3 {digits}\n4 {digits}\n")).unwrap();
        assert!(KeyFile::read(&path).is_ok());
    }
}
