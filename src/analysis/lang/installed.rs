//! The places where package managers install packages, and the names of what compilers make: paths in stack traces are of
//! installed copies.

use std::borrow::Cow;

use super::LANGUAGES;

/// Names of folders with vendored code of any language.
const VENDORED_FOLDERS: &[&str] = &["vendor", "_vendor", "vendored", "third_party", "third-party", "thirdparty"];

/// Returns whether a folder contains vendored code.
pub fn is_vendored(name: &str) -> bool {
    VENDORED_FOLDERS.contains(&name)
        || LANGUAGES.iter().any(|language| language.exclusions.vendored_folders.contains(&name))
}

/// Extensions of what JavaScript is compiled from and to.
const JAVASCRIPT: [&str; 8] = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"];
/// Extensions of the files whose traces name the package instead of the folders.
const JVM: [&str; 5] = ["java", "kt", "kts", "scala", "groovy"];

/// Returns the name that a file and what is compiled from it share.
pub fn source_name(name: &str) -> Cow<'_, str> {
    match name.rsplit_once('.') {
        Some((stem, extension)) if JAVASCRIPT.contains(&extension) => Cow::Owned(format!("{stem}.js")),
        _ => Cow::Borrowed(name),
    }
}

/// Returns whether traces name the package of such a file instead of its folders.
pub fn has_package_folders(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, extension)| JVM.contains(&extension))
}

/// A place where packages are installed.
pub struct Place {
    /// The position of the first segment within the package.
    pub from: usize,
    pub package: Package,
    /// Whether it is of a standard library.
    pub is_standard: bool,
}

/// The package of a place.
pub enum Package {
    None,
    Named(String),
    /// Its name is the first segments within it.
    Within,
}

/// Returns the innermost place of installation in a path.
pub fn installation(segments: &[&str]) -> Option<Place> {
    (0..segments.len().saturating_sub(1)).rev().find_map(|at| {
        let next = |distance: usize| segments.get(at + distance).copied().unwrap_or_default();
        let place = |from: usize, package| Some(Place { from: at + from, package, is_standard: false });
        let named = |name: &str| Package::Named(name.to_owned());
        let standard = |from: usize| Some(Place { from: at + from, package: Package::None, is_standard: true });
        match segments[at] {
            "site-packages" | "dist-packages" => place(1, Package::None),
            // A scope belongs to the name of its package.
            "node_modules" if next(1).starts_with('@') => place(3, named(&format!("{}/{}", next(1), next(2)))),
            "node_modules" | "Pods" => place(2, named(next(1))),
            "gems" if has_version(next(1)) => place(2, named(without_version(next(1)))),
            "registry" if next(1) == "src" => place(4, named(without_version(next(3)))),
            "checkouts" if at > 0 && segments[at - 1] == "git" => place(3, named(without_version(next(1)))),
            "checkouts" | "Checkouts" => place(2, named(next(1))),
            module if module.contains("@v") => {
                let first =
                    segments[..at].iter().rposition(|segment| *segment == "mod").map_or(at, |folder| folder + 1);
                let name = segments[first..=at].join("/");
                // Capital letters are written with a mark.
                place(1, named(&name.split("@v").next().unwrap_or_default().replace('!', "")))
            }
            "rustc" if at == 1 => standard(2),
            "src" if at > 1 && segments[at - 1] == "go" && matches!(segments[at - 2], "local" | "lib") => standard(1),
            folder if is_python(folder) && segments.first() == Some(&"") => standard(1),
            "ruby" if next(1).starts_with(|letter: char| letter.is_ascii_digit()) => standard(2),
            folder if is_vendored(folder) => place(1, Package::Within),
            _ => None,
        }
    })
}

/// Returns whether a segment is a place of installation, such as `site-packages`.
pub fn is_installation(segment: &str) -> bool {
    is_vendored(segment) || segment == "gems"
}

/// Returns whether a folder is of a version of Python: `python3.11`.
fn is_python(folder: &str) -> bool {
    folder.strip_prefix("python").is_some_and(|version| version.starts_with(['2', '3']) && version.contains('.'))
}

/// Returns whether a folder has the name of a package with a version or a hash: `cart-1.2.0`.
fn has_version(folder: &str) -> bool {
    without_version(folder).len() < folder.len()
}

/// Returns `cart` for `cart-1.2.0` and `cart-4f1c2ab`.
fn without_version(folder: &str) -> &str {
    let is_version = |end: &str| {
        end.starts_with(|letter: char| letter.is_ascii_digit())
            || end.len() >= 7 && end.chars().all(|letter| letter.is_ascii_hexdigit())
    };
    let dashes = folder.match_indices('-');
    let at = dashes.map(|(at, _)| at).find(|at| is_version(&folder[at + 1..]));
    at.map_or(folder, |at| &folder[..at])
}
