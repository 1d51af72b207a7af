//! The CA certificates of a file, against which another server's certificate is checked.

use std::path::{Path, PathBuf};

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::{self, RootCertStore};

/// Why the certificates of a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The file cannot be read, or holds no certificate.
    #[error("{0}: {1}")]
    File(PathBuf, #[source] pem::Error),
    /// A certificate cannot be used.
    #[error("{0}: a certificate cannot be used: {1}")]
    Certificate(PathBuf, #[source] rustls::Error),
}

/// The certificates of a PEM file.
pub(crate) fn roots(file: &Path) -> Result<RootCertStore, TrustError> {
    let of_file = |error| TrustError::File(file.to_owned(), error);
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(of_file)? {
        roots
            .add(certificate.map_err(of_file)?)
            .map_err(|error| TrustError::Certificate(file.to_owned(), error))?;
    }
    if roots.is_empty() {
        return Err(of_file(pem::Error::NoItemsFound));
    }
    Ok(roots)
}
