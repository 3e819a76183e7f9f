//! What the repository is made of, kept in the store for the vocabulary, which asks what it is and uses.

use std::collections::BTreeSet;

use super::catalog::Catalog;
use super::linking::Tail;
use crate::concepts::Profile;
use crate::resolve::input::Manifest;
use crate::scan::packages::Packages;
use crate::store::{Reader, StoreError, Writer};

/// The profile's name in the store.
const PROFILE: &str = "profile";

/// Makes the profile of what was just indexed and stores it.
pub(super) fn write(
    catalog: &Catalog,
    tail: &Tail,
    manifests: &[Manifest],
    writer: &mut Writer,
) -> Result<(), StoreError> {
    let Packages { own, mut used } = Packages::of(manifests);
    used.extend(tail.externals().map(|name| package_of(name).to_owned()));
    let languages: BTreeSet<String> = catalog.entries.iter().map(|entry| entry.row.language.clone()).collect();
    let text = serde_json::to_string(&Profile { languages, own, used }).unwrap_or_default();
    writer.set_meta(PROFILE, &text)
}

/// The profile of the indexed repository; empty when the index has none.
///
/// # Errors
/// When the store can't be read.
pub fn profile(reader: &Reader) -> Result<Profile, StoreError> {
    let text = reader.meta(PROFILE)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// The package of something outside the repository: `net/http` of `net/http.Header.Del`, `click` of `click.core.Group`.
fn package_of(name: &str) -> &str {
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    name[last..].find('.').map_or(name, |dot| &name[..last + dot])
}

#[cfg(test)]
mod tests {
    use super::package_of;

    #[test]
    fn names_lead_to_their_packages() {
        for (name, package) in [
            ("net/http.Header.Del", "net/http"),
            ("github.com/spf13/cobra", "github.com/spf13/cobra"),
            ("click.core.Group", "click"),
            ("@reduxjs/toolkit.createSlice", "@reduxjs/toolkit"),
            ("print", "print"),
            ("", ""),
        ] {
            assert_eq!(package_of(name), package);
        }
    }
}
