//! TLS to a mail server.

use std::path::Path;
use std::sync::Arc;

use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, ClientConfig, DigitallySignedStruct, SignatureScheme};

use crate::mail::{MailSettingsError, SmtpTls};
use crate::trust;

/// Returns the connector for a TLS setting, or `None` if TLS is not used.
pub(super) fn connector(
    tls: SmtpTls,
    ca: Option<&Path>,
) -> Result<Option<TlsConnector>, MailSettingsError> {
    let unusable = |error: rustls::Error| MailSettingsError::new("smtp_tls", error.to_string());
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?;
    let trusted =
        |ca| trust::roots(ca).map_err(|error| MailSettingsError::new("smtp_ca", error.to_string()));
    let config = match (tls, ca) {
        (SmtpTls::None, _) => return Ok(None),
        (SmtpTls::Opportunistic, _) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
            .with_no_client_auth(),
        (SmtpTls::Starttls | SmtpTls::Tls, Some(ca)) => builder
            .with_root_certificates(trusted(ca)?)
            .with_no_client_auth(),
        (SmtpTls::Starttls | SmtpTls::Tls, None) => builder
            .with_platform_verifier()
            .map_err(unusable)?
            .with_no_client_auth(),
    };
    Ok(Some(TlsConnector::from(Arc::new(config))))
}

/// Explains why TLS failed. By default, `openssl req -x509` makes a certificate of an authority, which a server cannot use
/// as its own (RFC 5280, 4.2.1.9).
pub(super) fn explained(error: &std::io::Error) -> String {
    let text = format!("the TLS connection failed: {error}");
    match text.contains("CaUsedAsEndEntity") {
        true => format!(
            "{text}: the server uses the certificate of an authority as its own; make a certificate for the server with openssl req -x509 -addext basicConstraints=critical,CA:FALSE"
        ),
        false => text,
    }
}

/// Accepts any certificate. Opportunistic TLS protects only against passive listeners.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(
            message,
            certificate,
            signed,
            &self.0.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(
            message,
            certificate,
            signed,
            &self.0.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
