//! The files that the paths of a task mean: paths of another machine, of an installed copy of the repository, or of what
//! was compiled from a file. A file is foreign only if the index does not have it.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::IndexView;
use crate::lang::installed::{Package, Place, has_package_folders, installation, is_installation, source_name};
use crate::model::FileId;
use crate::text::file_name;

/// System folders of installed programs and libraries.
const SYSTEM_FOLDERS: [&str; 6] = ["/lib", "/Library", "/nix", "/opt", "/System", "/usr"];
/// The folder within [`SYSTEM_FOLDERS`] that has sources.
const SYSTEM_SOURCES: &str = "/usr/src";
/// Segments that a file's whole path needs to be the end of a path of the standard library.
const STANDARD_SEGMENTS: usize = 3;

/// A path of a task as it is looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Written<'a> {
    /// Without the folders of an installation, and without `.` and `..` at its beginning.
    path: Cow<'a, str>,
    /// The last part of the name of the package that it is installed in, which can be a folder of the repository.
    package: Option<String>,
    /// Whether the first segment is not that of a whole path.
    is_absolute: bool,
    trust: Trust,
}

/// The part that has to be equal for a file to be the one of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Trust {
    /// The longest common end.
    Own,
    /// At least two segments: it is in a folder of the system.
    System,
    /// The whole path within the installation, since it can be of another package.
    Installed,
    /// The whole path of the file, of at least [`STANDARD_SEGMENTS`].
    Standard,
}

/// The files of the repository with the names of some paths.
pub struct SourceFiles<'a> {
    by_name: HashMap<String, Vec<(FileId, &'a str)>>,
    packages: &'a BTreeSet<String>,
    repository: &'a str,
    root: &'a Path,
}

impl<'a> SourceFiles<'a> {
    /// Collects the files with the names of these paths. Linear in the files of the repository.
    pub fn new<'p>(index: IndexView<'a>, paths: impl Iterator<Item = &'p str>) -> SourceFiles<'a> {
        let mut by_name: HashMap<String, Vec<(FileId, &str)>> =
            paths.map(|path| (key(path).into_owned(), Vec::new())).collect();
        if !by_name.is_empty() {
            for (file, path) in index.graph.files() {
                if let Some(files) = by_name.get_mut(&*key(path)) {
                    files.push((*file, path));
                }
            }
        }
        let (packages, repository, root) = (index.packages, index.reader.repository(), index.root);
        SourceFiles { by_name, packages, repository, root }
    }

    /// Collects the files of a list that have the name of a path.
    pub fn among(
        files: &'a [(FileId, String)],
        path: &str,
        packages: &'a BTreeSet<String>,
        repository: &'a str,
        root: &'a Path,
    ) -> SourceFiles<'a> {
        let key_of_path = key(path);
        let named = files.iter().filter(|(_, file)| key(file) == key_of_path);
        let named = named.map(|(file, path)| (*file, path.as_str())).collect();
        let by_name = HashMap::from([(key_of_path.into_owned(), named)]);
        SourceFiles { by_name, packages, repository, root }
    }

    /// Returns the files with the name of a path. Those that it may have been compiled from follow only `or_compiled`, if
    /// there are no others.
    fn namesakes(&self, path: &str, or_compiled: bool) -> Vec<(FileId, &'a str)> {
        let of_key = self.by_name.get(&*key(path)).map_or(&[][..], Vec::as_slice);
        let same: Vec<_> = of_key.iter().copied().filter(|(_, file)| file_name(file) == file_name(path)).collect();
        if same.is_empty() && or_compiled { of_key.to_vec() } else { same }
    }

    /// Returns the file that a path refers to, if it is exactly one: a relative path may be the end of a file's path, and a
    /// file's path the end of a path that was written on another machine.
    pub fn only(&self, path: &str, or_compiled: bool) -> Option<(FileId, &'a str)> {
        let files = self.namesakes(path, or_compiled);
        let same = |path: &str| files.iter().copied().find(|(_, file)| is_same(file, path));
        if let Some(below) = Path::new(path).strip_prefix(self.root).ok().and_then(Path::to_str)
            && !below.split('/').any(is_installation)
        {
            return same(below);
        }
        let written = self.written(path)?;
        if written.trust > Trust::Own {
            return self.installed(&written, &files);
        }
        let of_package = written.package.as_ref().map(|package| format!("{package}/{}", written.path));
        if let Some(found) = of_package.and_then(|path| self.longer(&path, &files)) {
            return Some(found);
        }
        if let Some(file) = same(&written.path) {
            return Some(file);
        }
        let mut longer = files.iter().copied().filter(|(_, file)| !written.is_absolute && is_end(file, &written.path));
        match (longer.next(), longer.next()) {
            (Some(file), None) => Some(file),
            (Some(_), Some(_)) => None,
            (None, _) => {
                let shorter = files.iter().copied().filter(|(_, file)| is_end(&written.path, file));
                // The folders of a package of the JVM need not be folders of the repository.
                let only = || {
                    files
                        .first()
                        .copied()
                        .filter(|(_, file)| files.len() == 1 && or_compiled && has_package_folders(file))
                };
                shorter.max_by_key(|(_, file)| file.len()).or_else(only)
            }
        }
    }

    /// Returns the files whose paths have the longest common end with a path, and the number of its segments; none for a
    /// path of another program.
    pub fn nearest(&self, path: &str, or_compiled: bool) -> (Vec<(FileId, &'a str)>, usize) {
        let mut files = self.namesakes(path, or_compiled);
        let Some(written) = self.written(path) else { return (Vec::new(), 0) };
        if written.trust > Trust::System {
            files = self.installed(&written, &files).into_iter().collect();
        } else if let Some(package) = &written.package {
            // A package of the repository often has the name of its folder.
            let of_package =
                |(_, file): &(FileId, &str)| file.split('/').rev().skip(1).any(|folder| folder == package.as_str());
            if files.iter().any(of_package) {
                files.retain(of_package);
            }
        }
        let common = |file: &str| {
            let pairs = file.rsplit('/').zip(written.path.rsplit('/')).enumerate();
            pairs.take_while(|(depth, (one, two))| one == two || *depth == 0 && is_same(one, two)).count()
        };
        let longest = files.iter().map(|(_, file)| common(file)).max().unwrap_or(0);
        let is_enough = longest > 1 || written.trust == Trust::Own;
        files.retain(|(_, file)| is_enough && common(file) == longest);
        (files, longest)
    }

    /// Returns whether several files have the name of a path.
    pub fn is_ambiguous_name(&self, path: &str) -> bool {
        self.namesakes(path, false).len() > 1
    }

    /// Returns the only file of an installed path.
    fn installed(&self, written: &Written<'_>, files: &[(FileId, &'a str)]) -> Option<(FileId, &'a str)> {
        let segments = |path: &str| path.split('/').count();
        let is_whole = |least: usize| {
            let found = files.iter().copied().filter(|(_, file)| {
                segments(file) >= least && (is_same(file, &written.path) || is_end(&written.path, file))
            });
            found.max_by_key(|(_, file)| file.len())
        };
        match written.trust {
            Trust::Own => None,
            Trust::System => is_whole(2),
            Trust::Standard => is_whole(STANDARD_SEGMENTS),
            Trust::Installed => {
                let of_package = written.package.as_ref().map(|package| format!("{package}/{}", written.path));
                of_package.and_then(|path| self.longer(&path, files)).or_else(|| {
                    // Without a manifest its name says nothing.
                    let is_enough = written.package.is_none() || self.packages.is_empty();
                    self.longer(&written.path, files).filter(|_| is_enough)
                })
            }
        }
    }

    /// Returns the only file whose path is a path or ends with it.
    fn longer(&self, path: &str, files: &[(FileId, &'a str)]) -> Option<(FileId, &'a str)> {
        if let Some(same) = files.iter().copied().find(|(_, file)| is_same(file, path)) {
            return Some(same);
        }
        let mut longer = files.iter().copied().filter(|(_, file)| path.contains('/') && is_end(file, path));
        match (longer.next(), longer.next()) {
            (found, None) => found,
            _ => None,
        }
    }

    /// Returns a path without the folders of an installation; `None` for one of another package.
    fn written<'p>(&self, path: &'p str) -> Option<Written<'p>> {
        let is_absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
        let segments: Vec<&str> = path.split('/').collect();
        let rest = |from: usize| Cow::Owned(segments.get(from..).unwrap_or_default().join("/"));
        let Some(place) = installation(&segments) else {
            let is_of_system = SYSTEM_FOLDERS.iter().any(|folder| Path::new(path).starts_with(folder))
                && !Path::new(path).starts_with(SYSTEM_SOURCES);
            let trust = if is_of_system { Trust::System } else { Trust::Own };
            return Some(Written { path: Cow::Borrowed(without_dots(path)), package: None, is_absolute, trust });
        };
        let Place { from, package, is_standard } = place;
        let written = Written { path: rest(from), package: None, is_absolute: false, trust: Trust::Installed };
        Some(match package {
            _ if is_standard => Written { trust: Trust::Standard, ..written },
            Package::None => written,
            Package::Named(name) => {
                let trust = if self.is_own(&name) { Trust::Own } else { Trust::Installed };
                Written { package: name.rsplit('/').next().map(str::to_owned), trust, ..written }
            }
            // How many segments its name has depends on the language.
            Package::Within => {
                let own = (2..=3).find(|count| {
                    let name = segments.get(from..from + count).map(|name| name.join("/"));
                    name.is_some_and(|name| self.is_own(&name))
                });
                match own {
                    Some(count) => Written { path: rest(from + count), trust: Trust::Own, ..written },
                    None => written,
                }
            }
        })
    }

    /// Returns whether a package is the repository, or one that its manifests define.
    fn is_own(&self, name: &str) -> bool {
        is_repository(self.repository, name) || is_package(self.packages, name)
    }
}

/// Returns whether a name is that of a repository, with or without what is around its last segment.
pub fn is_repository(repository: &str, name: &str) -> bool {
    let (name, repository) = (plain(name), plain(repository));
    match name.split_once('/') {
        // The scope of a package of JavaScript is often another name.
        Some((scope, _)) if scope.starts_with('@') => false,
        Some((_, last)) => repository.ends_with(&name) || repository.rsplit('/').next() == last.rsplit('/').next(),
        None => repository.rsplit('/').next() == Some(&name),
    }
}

/// Returns whether a name is that of one of these packages.
pub fn is_package(packages: &BTreeSet<String>, name: &str) -> bool {
    let name = plain(name);
    packages.iter().any(|package| plain(package) == name)
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// Returns the name under which a file is looked up: what is compiled has that of its source.
fn key(path: &str) -> Cow<'_, str> {
    source_name(file_name(path))
}

/// Returns whether two paths are the same but for the extension of what is compiled.
fn is_same(file: &str, path: &str) -> bool {
    file == path
        || key(file) == key(path)
            && file.strip_suffix(file_name(file)).unwrap_or_default()
                == path.strip_suffix(file_name(path)).unwrap_or_default()
}

/// Returns whether a path ends with another one, which begins with a whole segment.
fn is_end(whole: &str, end: &str) -> bool {
    let count = end.split('/').count();
    let start = whole.rmatch_indices('/').nth(count - 1).map(|(at, _)| at + 1);
    start.is_some_and(|start| is_same(&whole[start..], end))
}

/// Removes `./` and `../` from the beginning of a path.
fn without_dots(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the file that a path refers to, among these files of a repository that defines these packages.
    fn only(files: &[&'static str], packages: &[&str], path: &str, or_compiled: bool) -> Option<&'static str> {
        let packages: BTreeSet<String> = packages.iter().map(|name| (*name).to_owned()).collect();
        let mut by_name: HashMap<String, Vec<(FileId, &str)>> = HashMap::new();
        for (number, file) in files.iter().enumerate() {
            by_name.entry(key(file).into_owned()).or_default().push((FileId::new(number as u32), *file));
        }
        let (repository, root) = ("example.org/team/site", Path::new("/home/me/site"));
        let found = SourceFiles { by_name, packages: &packages, repository, root };
        let found = found.only(path, or_compiled)?.1;
        files.iter().copied().find(|file| *file == found)
    }

    const FILES: [&str; 4] = ["main.go", "cmd/main.go", "resources/page/main.go", "page/main.go"];

    fn file(path: &str) -> Option<&'static str> {
        only(&FILES, &["example.org/team/site"], path, true)
    }

    #[test]
    fn paths_of_the_repository() {
        assert_eq!(file("main.go"), Some("main.go"));
        assert_eq!(file("./cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("../cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("/home/me/site/cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("/home/me/site/other/main.go"), None, "it is below the root and not indexed");
    }

    #[test]
    fn paths_of_other_machines() {
        assert_eq!(file("/builds/team/site/resources/page/main.go"), Some("resources/page/main.go"));
        assert_eq!(file("example.org/team/site/page/main.go"), Some("page/main.go"));
        assert_eq!(file("/app/main.go"), Some("main.go"));
        assert_eq!(file("/usr/src/app/main.go"), Some("main.go"));
        assert_eq!(file("/opt/site/cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("/home/me/.cache/build/cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("/home/me/other/target/cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("C:/projects/site/cmd/main.go"), Some("cmd/main.go"));
    }

    #[test]
    fn end_of_several_paths_is_ambiguous() {
        let of = |files: &[&'static str]| only(files, &[], "main.go", true);
        assert_eq!(of(&FILES[1..]), None);
        assert_eq!((of(&FILES[1..2]), of(&[])), (Some("cmd/main.go"), None));
    }

    #[test]
    fn installed_copies_of_the_repository_are_its_files() {
        let files = [
            "src/shop/storage/cart.py",
            "six.py",
            "crates/shop-core/src/cart.rs",
            "crates/other/src/cart.rs",
            "lib/shop/cart.rb",
            "cart/cart.go",
            "src/query/Cart.ts",
            "packages/web/src/cart.ts",
            "src/Shop/Line.php",
        ];
        let packages = ["shop", "shop-core", "shop.example/shop", "@shop/web", "acme/shop"];
        for (path, expected) in [
            ("/usr/local/lib/python3.11/site-packages/shop/storage/cart.py", files[0]),
            ("/home/me/site/.venv/lib/python3.11/site-packages/shop/storage/cart.py", files[0]),
            ("C:/Python311/Lib/site-packages/shop/storage/cart.py", files[0]),
            ("/usr/lib/python3/dist-packages/six.py", files[1]),
            ("/home/me/.cargo/registry/src/mirror.example-6f17d22bba15001f/shop-core-1.2.0/src/cart.rs", files[2]),
            ("/usr/local/bundle/gems/shop-4.3.3/lib/shop/cart.rb", files[4]),
            ("/var/lib/gems/3.1.0/gems/shop-4.3.3/lib/shop/cart.rb", files[4]),
            ("/home/dev/go/pkg/mod/shop.example/shop@v0.128.0/cart/cart.go", files[5]),
            ("/home/dev/go/src/shop.example/shop/cart/cart.go", files[5]),
            ("/app/node_modules/shop/query/Cart.js", files[6]),
            ("/app/node_modules/@shop/web/src/cart.js", files[7]),
            ("/app/vendor/acme/shop/src/Shop/Line.php", files[8]),
        ] {
            assert_eq!(only(&files, &packages, path, true), Some(expected), "{path}");
        }
    }

    #[test]
    fn files_of_other_packages_and_of_standard_libraries_are_foreign() {
        let files = ["cmd/main.go", "src/error.rs", "lib/index.js", "json/decoder.py", "core.py", "lib/cart.rb"];
        for path in [
            "/usr/local/go/src/cmd/main.go",
            "/rustc/abc/cmd/main.go",
            "/home/me/go/pkg/mod/example.org/x@v1.2.0/cmd/main.go",
            "vendor/x/cmd/main.go",
            "/home/me/.cargo/registry/src/mirror.example-6f17d22bba15001f/anyhow-1.0.75/src/error.rs",
            "/app/node_modules/express/lib/index.js",
            "/usr/lib/python3.11/json/decoder.py",
            "/usr/lib/python3.11/site-packages/click/core.py",
            "/usr/local/bundle/gems/rack-2.2.0/lib/cart.rb",
            "/usr/lib/ruby/3.1.0/lib/cart.rb",
        ] {
            assert_eq!(only(&files, &["shop"], path, true), None, "{path}");
        }
    }

    #[test]
    fn what_is_compiled_leads_to_its_source() {
        let files = ["src/cart.ts", "lib/line.js", "src/line.ts"];
        assert_eq!(only(&files, &[], "/app/src/cart.js", true), Some("src/cart.ts"));
        assert_eq!(only(&files, &[], "/app/src/cart.js", false), None);
        assert_eq!(only(&files, &[], "/app/lib/line.js", true), Some("lib/line.js"));
    }

    #[test]
    fn folders_of_a_package_need_not_be_in_the_repository() {
        assert_eq!(only(&["app/Cart.kt"], &[], "org/shop/Cart.kt", true), Some("app/Cart.kt"));
        let files = ["a/org/shop/Cart.java", "b/org/other/Cart.java"];
        assert_eq!(only(&files, &[], "org/shop/Cart.java", true), Some("a/org/shop/Cart.java"));
    }
}
