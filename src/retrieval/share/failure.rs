//! Causes of an object store's failures, and remedies.

use object_store::Error;

use super::error::{FULL, ShareError};
use crate::text::display;

/// Maximum length of a store's message.
const MAX_CAUSE_LETTERS: usize = 300;
/// Remedies by the codes of S3's errors, which compatible stores use too. Source: "Error responses" of the API reference.
const REMEDIES: &[(&str, &str)] = &[
    (
        "InvalidAccessKeyId",
        "the access key is unknown or revoked; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a valid pair",
    ),
    (
        "NotSignedUp",
        "the access key is unknown or revoked; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a valid pair",
    ),
    ("SignatureDoesNotMatch", "the secret key does not belong to the access key; check AWS_SECRET_ACCESS_KEY"),
    ("ExpiredToken", "the credentials have expired; sign in again"),
    ("InvalidToken", "the session token is not valid; sign in again"),
    ("RequestTimeTooSkewed", "the clocks of this machine and of the store differ; set this machine's clock"),
    ("AccessDenied", "the credentials do not allow it; ask the owner of the share"),
    ("NoSuchBucket", "there is no such bucket; create it, or check the name and AWS_ENDPOINT_URL"),
    ("XMinioStorageFull", FULL),
    ("InsufficientStorage", FULL),
    ("QuotaExceeded", FULL),
];

/// Returns the error of an action on the share at `url`.
pub(super) fn classify(action: &'static str, url: &str, error: &Error) -> ShareError {
    let (url, cause) = (url.to_owned(), cause(error));
    if let Some(remedy) = remedy(error) {
        return ShareError::Known { action, url, cause, remedy };
    }
    match is_refused(error) {
        true => ShareError::Refused { action, url, cause },
        false => ShareError::Access { action, url, cause },
    }
}

/// Returns whether the store does not accept the credentials.
pub(super) fn is_refused(error: &Error) -> bool {
    matches!(error, Error::PermissionDenied { .. } | Error::Unauthenticated { .. })
}

/// Returns the innermost message of an error, which can have text of the store.
pub(super) fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let innermost = chain(error).last().unwrap_or(error).to_string();
    let text = element(&innermost, "Message").or(element(&innermost, "Code")).unwrap_or(&innermost);
    display::safe(text.trim()).chars().take(MAX_CAUSE_LETTERS).collect()
}

fn remedy(error: &Error) -> Option<&'static str> {
    let text = chain(error).last()?.to_string();
    if let Some(code) = element(&text, "Code") {
        return REMEDIES.iter().find(|(known, _)| *known == code).map(|(_, remedy)| *remedy);
    }
    if text.contains("507 Insufficient Storage") {
        return Some(FULL);
    }
    unreachable(error)
}

fn unreachable(error: &Error) -> Option<&'static str> {
    use object_store::client::{HttpError, HttpErrorKind};
    let kind = chain(error).find_map(|error| error.downcast_ref::<HttpError>()).map(HttpError::kind)?;
    let is_network = matches!(kind, HttpErrorKind::Connect | HttpErrorKind::Timeout);
    is_network.then_some("it can't be reached; check the network, the URL, AWS_ENDPOINT_URL and HTTPS_PROXY")
}

fn chain<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

/// Returns the text of the first XML element of a name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(text: &str) -> Error {
        Error::Generic { store: "S3", source: text.to_owned().into() }
    }

    #[test]
    fn codes_of_the_store_have_remedies() {
        for (code, expected) in
            [("RequestTimeTooSkewed", "clock"), ("ExpiredToken", "sign in"), ("NoSuchBucket", "create it")]
        {
            let body = format!("403 Forbidden: <Error><Code>{code}</Code><Message>No\u{1b}pe.</Message></Error>");
            let message = classify("read", "s3://x", &failed(&body)).to_string();
            assert!(
                message.contains(expected) && message.contains("s3://x") && !message.contains('\u{1b}'),
                "{message}"
            );
        }
        let message = classify("read", "s3://x", &failed("<Code>SlowDown</Code>")).to_string();
        assert_eq!(message, "can't read the share s3://x: SlowDown");
    }

    #[test]
    fn a_full_store_is_recognized() {
        assert!(classify("write", "s3://x", &failed("code: 507 Insufficient Storage: ")).to_string().contains("full"));
    }
}
