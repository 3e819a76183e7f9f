//! The repository's profile (languages, own and used packages), which selects the concepts that apply.

use std::collections::BTreeSet;

use super::file_set::FileSet;
use super::linking::FilelessNodes;
use crate::concepts::Profile;
use crate::lang::manifest::Packages;
use crate::resolve::input::Manifest;
use crate::store::{Reader, StoreError, Writer};

/// Key of the profile in `meta`.
const PROFILE: &str = "profile";
/// Limit of the parts of a package whose namespaces are written like types: `Microsoft.Extensions.Logging`.
const MAX_NAMESPACE: usize = 3;

/// Stores the profile of the indexed repository.
pub(super) fn write(
    file_set: &FileSet,
    fileless: &FilelessNodes,
    manifests: &[Manifest],
    writer: &mut Writer,
) -> Result<(), StoreError> {
    let Packages { defined: own, required: mut used } = Packages::from_manifests(manifests);
    used.extend(fileless.externals().map(|name| package_of(name).to_owned()));
    let languages: BTreeSet<&str> = file_set.entries.iter().map(|entry| entry.language.name).collect();
    let languages = languages.into_iter().map(str::to_owned).collect();
    let text = serde_json::to_string(&Profile { languages, own, used }).expect("texts have a form in JSON");
    writer.set_meta(PROFILE, &text)
}

/// Returns the profile of the indexed repository, empty when none is stored.
///
/// # Errors
/// When the store can't be read.
pub fn profile(reader: &Reader) -> Result<Profile, StoreError> {
    let text = reader.meta(PROFILE)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// Returns the package of an external: `net/http` for `net/http.Header.Del`, `org.junit` for `org.junit.Test`, and up to
/// [`MAX_NAMESPACE`] parts of a name whose namespaces are written like types.
fn package_of(name: &str) -> &str {
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    let ends = name[last..].match_indices('.').map(|(dot, _)| last + dot);
    let is_type = |part: &str| part.starts_with(char::is_uppercase);
    let parts = || name[last..].split('.');
    let count = match parts().position(is_type) {
        Some(0) => MAX_NAMESPACE.min(parts().count() - 1).max(1),
        Some(packages) => packages,
        None => 1,
    };
    ends.take(count).last().filter(|_| count < parts().count()).map_or(name, |end| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::package_of;

    #[test]
    fn external_names_map_to_packages() {
        for (name, package) in [
            ("net/http.Header.Del", "net/http"),
            ("github.com/spf13/cobra", "github.com/spf13/cobra"),
            ("click.core.Group", "click.core"),
            ("org.junit.Assert.assertEquals", "org.junit"),
            ("os.path.join", "os"),
            ("Microsoft.Extensions.Logging.ILogger.Log", "Microsoft.Extensions.Logging"),
            ("Serilog.Log", "Serilog"),
            ("Console", "Console"),
            ("@reduxjs/toolkit.createSlice", "@reduxjs/toolkit"),
            ("print", "print"),
            ("", ""),
        ] {
            assert_eq!(package_of(name), package);
        }
    }
}
