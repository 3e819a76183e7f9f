//! Names and places as people and languages write them: `pkg.mod.f`, `Class#m`, `crate::T::m`, `A\B::m`, `(*T).M`,
//! `/home/me/app/src/a.rs`.

use std::path::Path;

use super::inspect::MAX_NAMESAKES;
use crate::lang::packages::stands_for_folder;
use crate::model::{Symbol, below_root};
use crate::store::{Reader, StoreError};
use crate::text::{composed, split_path};

/// Parts of a name that stand for the place where it is written, or for what each object has.
const EMPTY_PARTS: [&str; 5] = ["crate", "self", "super", "prototype", "Companion"];

/// Returns the path of a file below the root, with `/` and without `.` and `..`; one outside of it unchanged.
pub fn path_below(root: &Path, path: &str) -> String {
    let given = Path::new(path);
    let absolute = given.is_absolute().then(|| {
        // Through a link the root has another name.
        let real = || given.canonicalize().ok().and_then(|real| real.strip_prefix(root).ok().map(Path::to_owned));
        given.strip_prefix(root).ok().map(Path::to_owned).or_else(real)
    });
    match absolute.flatten() {
        Some(below) => below.to_string_lossy().replace('\\', "/"),
        None => {
            let path = path.replace('\\', "/");
            // It can leave the root and come back: `lib/../../app/a.rs` in `app`.
            let back = || {
                let root = root.to_string_lossy().replace('\\', "/");
                let whole = below_root("", &format!("{}/{path}", root.trim_start_matches('/')))?;
                whole.strip_prefix(root.trim_matches('/'))?.strip_prefix('/').map(str::to_owned)
            };
            (!given.is_absolute()).then(|| below_root("", &path).or_else(back)).flatten().unwrap_or(path)
        }
    }
}

/// Returns the path of the indexed file that a path below the root means: itself, the one whose name has the same letters in
/// another Unicode form, or the one that it leads to through links within the checkout.
///
/// # Errors
/// When the store can't be read.
pub(super) fn indexed_path(reader: &Reader, root: &Path, path: &str) -> Result<Option<String>, StoreError> {
    let path = path_below(root, path);
    if reader.content_hash(&path)?.is_some() {
        return Ok(Some(path));
    }
    if !path.is_ascii() {
        let form = composed(&path);
        let mut paths = reader.file_paths()?.into_iter();
        if let Some((_, found)) = paths.find(|(_, own)| !own.is_ascii() && composed(own) == form) {
            return Ok(Some(found));
        }
    }
    let real = root.join(&path).canonicalize().ok();
    let below = real.as_deref().and_then(|real| real.strip_prefix(root).ok());
    let Some(below) = below.map(|below| below.to_string_lossy().replace('\\', "/")) else { return Ok(None) };
    Ok(reader.content_hash(&below)?.map(|_| below))
}

/// Returns the symbols that a name with a module, package or class before it refers to: the last parts are those of the
/// symbol's scope and name, the parts before are in the path of its file, in the name of the repository, or in the package
/// that the file declares. Those whose module ends with all of the parts come alone, if there are such.
///
/// # Errors
/// When the store can't be read.
pub fn written(reader: &Reader, name: &str) -> Result<Vec<Symbol>, StoreError> {
    let name = composed(name);
    let parts = parts(&name);
    let Some((last, before)) = parts.split_last() else { return Ok(Vec::new()) };
    let has_host = name.split_once('/').is_some_and(|(host, _)| host.contains('.'));
    let (mut whole, mut partial) = (Vec::new(), Vec::new());
    for symbol in reader.symbols_named(last, MAX_NAMESAKES)? {
        match fit(reader, &symbol, before, has_host)? {
            Some(Fit::Whole) => whole.push(symbol),
            Some(Fit::Partial) => partial.push(symbol),
            None => {}
        }
    }
    Ok(if whole.is_empty() { partial } else { whole })
}

/// The kind of agreement of the parts before a name with a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Its module ends with them.
    Whole,
    /// Its module has them in this order, with others between or after them.
    Partial,
}

/// Returns how the parts before a name fit a symbol. Parts that begin with a host are the whole path of a package.
fn fit(reader: &Reader, symbol: &Symbol, before: &[String], has_host: bool) -> Result<Option<Fit>, StoreError> {
    let package = package_of(reader, symbol)?;
    // A shell takes the backslashes of an unquoted `App\Svc::up`.
    if !package.is_empty() && before.concat() == package.concat() + &symbol.scope.replace('.', "") {
        return Ok(Some(Fit::Whole));
    }
    let mut scope: Vec<&str> = symbol.scope.split('.').filter(|part| !part.is_empty()).collect();
    let mut rest = before;
    while let (Some((last, others)), Some(own)) = (rest.split_last(), scope.last())
        && is_same(last, own)
    {
        scope.pop();
        rest = others;
    }
    if rest.is_empty() {
        return Ok(Some(Fit::Whole));
    }
    let folders: Vec<&str> = split_path(&symbol.file).0.split('/').filter(|part| !part.is_empty()).collect();
    let is_below = |folders: &[&str]| {
        rest.len() > folders.len() && rest.iter().rev().zip(folders.iter().rev()).all(|(part, own)| is_same(part, own))
    };
    if has_host && scope.is_empty() && !folders.is_empty() && is_below(&folders) {
        return Ok(Some(Fit::Whole));
    }
    // `mod.rs` stands for its folder, and `mod.py` is a module: either name is meant.
    let file = module_of(symbol.repository(), &symbol.file);
    let folder = file.split_last().filter(|(stem, _)| stands_for_folder(stem)).map_or(&file[..], |(_, folder)| folder);
    let fits = |module: &[&str]| {
        let has_all = ends_with(module, rest) || scope.is_empty() && package.as_slice() == rest;
        let in_order = is_subsequence(rest, module.iter().chain(&scope));
        if has_all && scope.is_empty() { Some(Fit::Whole) } else { in_order.then_some(Fit::Partial) }
    };
    let declared: Vec<&str> = package.iter().map(String::as_str).collect();
    let fits_of = |module: &[String]| fits(&module.iter().map(String::as_str).collect::<Vec<_>>());
    let all = [fits(&declared), fits_of(folder), fits_of(&file)];
    let is_whole = |fit: &Option<Fit>| *fit == Some(Fit::Whole);
    Ok(all.into_iter().find(is_whole).unwrap_or_else(|| all.into_iter().flatten().next()))
}

/// Returns the parts of the repository's name, the folders, and the file without its extension.
fn module_of(repository: &str, path: &str) -> Vec<String> {
    let (folder, file) = split_path(path);
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or_default();
    repository
        .split(['/', '.'])
        .chain(folder.split('/'))
        .chain([stem])
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the parts of the package or namespace that a symbol's file declares.
fn package_of(reader: &Reader, symbol: &Symbol) -> Result<Vec<String>, StoreError> {
    let Some(file) = reader.file_of_node(symbol.node)? else { return Ok(Vec::new()) };
    let Some(blob) = reader.outline_blob(file)? else { return Ok(Vec::new()) };
    let (outline, _) = blob.outline()?;
    Ok(outline.package.map_or_else(Vec::new, |package| parts(outline.names.get(package))))
}

/// Splits a name at the separators of all languages. Type arguments, parameters, pointers and parts that name no place are
/// left out.
fn parts(name: &str) -> Vec<String> {
    let mut plain = String::with_capacity(name.len());
    let mut depth = 0_u32;
    for letter in name.trim().replace("->", ".").chars() {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            // `(*T).M` and `p.(*T).M` keep what is in the parentheses, `f(int)` loses it.
            '(' if !(plain.is_empty() || plain.ends_with('.')) => break,
            '(' | ')' | '*' | '&' | '$' => {}
            _ if depth > 0 => {}
            '#' | '\\' | '/' | ':' => plain.push('.'),
            _ => plain.push(letter),
        }
    }
    let parts = plain.split('.').map(str::trim).filter(|part| !part.is_empty() && !EMPTY_PARTS.contains(part));
    parts.map(str::to_owned).collect()
}

/// Returns whether two parts are the same: packages are written with `-` where their code needs `_`.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.replace('-', "_") == other.replace('-', "_")
}

fn ends_with(module: &[&str], parts: &[String]) -> bool {
    module.len() >= parts.len() && module.iter().rev().zip(parts.iter().rev()).all(|(own, part)| is_same(own, part))
}

fn is_subsequence<'a>(parts: &[String], module: impl Iterator<Item = &'a &'a str>) -> bool {
    let mut left = parts.iter().peekable();
    for own in module {
        left.next_if(|part| is_same(part, own));
    }
    left.peek().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_the_separators_of_every_language() {
        for (name, expected) in [
            ("pkg.calc.run", "pkg calc run"),
            ("Story#hot?", "Story hot?"),
            (r"App\S\Svc::up", "App S Svc up"),
            (r"\App\Svc->up()", "App Svc up"),
            ("crate::M::go", "M go"),
            ("(*Server).Close", "Server Close"),
            ("github.com/spf13/cobra.(*Command).Run", "github com spf13 cobra Command Run"),
            ("Stack<T>::push(T&&)", "Stack push"),
            ("Stack[T].Push", "Stack Push"),
            ("Foo.prototype.bar", "Foo bar"),
            ("M:run", "M run"),
        ] {
            assert_eq!(parts(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn a_module_is_the_repository_the_folders_and_the_file() {
        assert_eq!(module_of("github.com/a/b", "src/pkg/__init__.py").join(" "), "github com a b src pkg __init__");
        assert_eq!(module_of("one", "lib/Foo.test.ts").join(" "), "one lib Foo");
    }

    #[test]
    fn an_absolute_path_is_that_below_the_root() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let inner = root.join("src").join("a.rs");
        assert_eq!(path_below(&root, inner.to_str().unwrap()), "src/a.rs");
        for path in ["./src/a.rs", "src//a.rs", "src/../src/./a.rs", r"src\a.rs"] {
            assert_eq!(path_below(&root, path), "src/a.rs");
        }
        let folder = root.file_name().unwrap().to_str().unwrap();
        assert_eq!(path_below(&root, &format!("src/../../{folder}/src/a.rs")), "src/a.rs");
        for path in ["/elsewhere/a.rs", "../a.rs", "src/../../a.rs"] {
            assert_eq!(path_below(&root, path), path);
        }
    }
}
