//! TLS, where the settings ask for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Why a certificate or its key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file that cannot be read, or holds nothing of the kind.
    #[error("{0}: {1}")]
    File(PathBuf, #[source] pem::Error),
    /// The two do not fit, or cannot be used.
    #[error("the certificate cannot be used: {0}")]
    Certificate(#[from] rustls::Error),
}

/// Takes connections with the certificate chain and the key of two PEM files.
pub(super) fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
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
