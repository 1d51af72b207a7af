//! TLS, if the settings ask for it. The certificate can be read again while the service runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Why a certificate or its key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or does not hold a certificate or a key.
    #[error("{0}: {1}")]
    File(PathBuf, #[source] pem::Error),
    /// The certificate and the key do not belong together, or cannot be used.
    #[error("the certificate cannot be used: {0}")]
    Certificate(#[from] rustls::Error),
}

/// The certificate chain and the key of two PEM files. Clones share them.
#[derive(Clone)]
pub struct Certificate(Arc<Files>);

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    current: RwLock<TlsAcceptor>,
}

impl Certificate {
    pub(super) fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        Ok(Self(Arc::new(Files {
            current: RwLock::new(acceptor(certificate, key)?),
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        })))
    }

    /// Reads both files again. New connections use what they hold.
    ///
    /// # Errors
    /// The files cannot be used. New connections use the certificate as before.
    pub fn read_again(&self) -> Result<(), TlsError> {
        let new = acceptor(&self.0.certificate, &self.0.key)?;
        *self
            .0
            .current
            .write()
            .unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    /// The acceptor with the current certificate.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let current = self.0.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certificate")
            .field("certificate", &self.0.certificate)
            .finish_non_exhaustive()
    }
}

/// Makes an acceptor with the certificate chain and the key of two PEM files.
fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let of_certificate = |error| TlsError::File(certificate.to_owned(), error);
    let chain = CertificateDer::pem_file_iter(certificate)
        .map_err(of_certificate)?
        .collect::<Result<Vec<_>, _>>()
        .map_err(of_certificate)?;
    let key =
        PrivateKeyDer::from_pem_file(key).map_err(|error| TlsError::File(key.to_owned(), error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
