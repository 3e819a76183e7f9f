//! Identities of objects, extensions of the format, tables of references.

use super::*;

fn extensions(text: &str) -> Result<bool, GitError> {
    let source = gix::config::file::Metadata::api();
    let settings = gix::config::File::from_bytes_no_includes(text.as_bytes(), source, Default::default()).unwrap();
    check_extensions(&settings)
}

#[test]
fn unknown_extensions_are_named() {
    let version = |extension: &str| format!("[core]\nrepositoryformatversion = 1\n[extensions]\n{extension}\n");
    assert_eq!(extensions(""), Ok(false));
    assert_eq!(extensions(&version("objectFormat = sha256\nworktreeConfig = true")), Ok(false));
    assert_eq!(extensions(&version("refStorage = files")), Ok(false));
    assert_eq!(extensions(&version("refStorage = reftable")), Ok(true));
    let error = extensions(&version("tomorrow = true")).unwrap_err();
    assert_eq!(error, GitError::Extension { name: "tomorrow".to_owned() });
    assert!(extensions(&version("refStorage = stone")).is_err());
    assert_eq!(extensions("[extensions]\ntomorrow = true\n"), Ok(false), "they have no meaning in version 0");
}

#[test]
fn damaged_tables_are_refused() {
    let mut table = b"REFT\x01\0\0\0".to_vec();
    table.resize(24, 0);
    let footer = [0; 68];
    let read = |block: &[u8]| {
        let bytes = [&table[..], block, &footer].concat();
        let mut all = std::collections::BTreeMap::new();
        reftable::read_table(&bytes, &mut all).map(|()| all.into_keys().collect::<Vec<_>>())
    };
    assert_eq!(read(b""), Some(Vec::new()));
    // A symbolic reference with a name of five letters to one of one letter, and a restart.
    let block = b"r\0\0\x2b\x01\x2bHEAD!\0\x01z\0\0\x1c\0\x01";
    let named = b"r\0\0\x2b\0\x2bHEAD!\0\x01z\0\0\x1c\0\x01";
    assert_eq!(read(named), Some(vec!["HEAD!".to_owned()]));
    assert_eq!(read(block), None, "the first name has nothing in common with one before it");
    for end in 1..named.len() {
        assert_eq!(read(&named[..end]), None, "{end}");
    }
    for byte in 0..named.len() {
        let mut damaged = named.to_vec();
        damaged[byte] ^= 0xff;
        let _ends = read(&damaged);
    }
    assert_eq!(read(b"r\xff\xff\xff"), None);
}

#[test]
fn a_long_hash_is_found_by_its_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    git2::Repository::init(folder.path()).unwrap();
    let git = open(folder.path()).unwrap().unwrap();
    let id = hash(&git.repository, b"x").unwrap();
    assert_eq!(full(&git.repository, &short(&id)), Some(id));
}
