//! The folder of each checkout in the user's data folder, which has its database.
//!
//! Nothing in a repository is ever opened as a database. A checkout's folder has its database, the files beside it, and a
//! record of the checkout: its path, by which the folder is named, the identity of its root, by which a checkout that was
//! moved finds its folder, and its origin, by which another repository at the path of the former is told from a new clone.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use crate::atomic_file;
use crate::scan::repository::{Origin, git_folder};
use crate::user_dirs;

/// File name of a checkout's database.
pub(super) const DATABASE: &str = "graph.db";
/// File name of the record of a checkout.
const RECORD: &str = "checkout.json";
/// Limit of the size of a record in bytes.
const MAX_RECORD_BYTES: u64 = 64 << 10;
/// Folder of the folders of all checkouts.
const CHECKOUTS: &str = "checkouts";
/// Bytes of the name of a checkout in the name of its folder.
const MAX_NAME_BYTES: usize = 100;

/// The folder with the state of all checkouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolder(PathBuf);

/// The folder of a checkout in the data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutFolder {
    pub folder: PathBuf,
    /// The root of the checkout.
    pub checkout: PathBuf,
    /// Whether the root does not exist any more, or another repository is there.
    pub is_gone: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    path: RecordedPath,
    root: Option<RootIdentity>,
    #[serde(default)]
    origin: Origin,
}

/// A path as text, or as bytes if it is not UTF-8.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum RecordedPath {
    Text(String),
    Bytes(OsString),
}

/// The identity of a folder, which stays the same when the folder is moved on its file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct RootIdentity {
    device: u64,
    inode: u64,
    /// Time of creation, in nanoseconds since 1970: the inode of a deleted folder is used again.
    created: u64,
}

impl DataFolder {
    /// Returns the user's data folder.
    ///
    /// # Errors
    /// When there is no home folder.
    pub fn of_user() -> Result<DataFolder, StoreError> {
        Ok(DataFolder(user_dirs::data()?))
    }

    /// Returns a folder as the data folder.
    pub fn new(folder: PathBuf) -> DataFolder {
        DataFolder(folder)
    }

    /// Returns the database of the checkout with this root, whether or not it exists. If the checkout was moved, its folder
    /// gets the name of the new path. If another repository was at this path before, its folder is set aside, where it
    /// waits for its checkout.
    ///
    /// # Errors
    /// When the root can't be opened.
    pub fn database(&self, root: &Path) -> Result<PathBuf, StoreError> {
        let root = canonical(root)?;
        let mut folder = self.folder_of(&root);
        if is_of_another(&folder, &root) {
            folder = set_aside(folder);
        }
        let moved = if folder.exists() { None } else { self.moved(&root) };
        Ok(moved.map_or_else(|| folder.clone(), |moved| rename(moved, folder.clone(), &root)).join(DATABASE))
    }

    /// Returns the nearest folder with an index: `folder` itself, or one around it. `None` if there is none, and in a git
    /// repository, whose root is known without an index.
    ///
    /// # Errors
    /// When the folder can't be opened.
    pub fn indexed_around(&self, folder: &Path) -> Result<Option<PathBuf>, StoreError> {
        let folder = canonical(folder)?;
        if folder.ancestors().any(|folder| git_folder(folder).is_some()) {
            return Ok(None);
        }
        let mut around = folder.ancestors();
        Ok(around.find(|folder| self.folder_of(folder).join(DATABASE).is_file()).map(Path::to_owned))
    }

    /// Returns the database of the checkout with this root for writing. Creates its folder and records the checkout.
    ///
    /// # Errors
    /// When the root does not exist, or the data folder can't be written.
    pub fn prepare(&self, root: &Path) -> Result<PathBuf, StoreError> {
        let database = self.database(root)?;
        prepare_file(&database)?;
        write_record(database.parent().unwrap_or(&self.0), &canonical(root)?)?;
        Ok(database)
    }

    /// Returns the folders of all checkouts, by path. Those without a record, which an interrupted process can leave, are
    /// not among them.
    ///
    /// # Errors
    /// When a folder or a record can't be read.
    pub fn checkouts(&self) -> Result<Vec<CheckoutFolder>, StoreError> {
        let mut checkouts = Vec::new();
        for folder in self.folders()? {
            let Some(record) = read_record(&folder)? else { continue };
            let checkout = record.path.into_path();
            // A folder that can't be looked at, as on a drive that is not attached, may be there again later.
            let is_missing =
                |error: std::io::Error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
            let is_gone = checkout.symlink_metadata().is_err_and(is_missing) || folder != self.folder_of(&checkout);
            checkouts.push(CheckoutFolder { folder, checkout, is_gone });
        }
        checkouts.sort_by(|one, other| (&one.checkout, one.is_gone).cmp(&(&other.checkout, other.is_gone)));
        Ok(checkouts)
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns the folder with what was kept of removed checkouts.
    pub fn kept(&self) -> PathBuf {
        self.0.join("kept")
    }

    fn folder_of(&self, root: &Path) -> PathBuf {
        let name = root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        let name: String = name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let end = (0..=name.len().min(MAX_NAME_BYTES)).rfind(|end| name.is_char_boundary(*end)).unwrap_or(0);
        self.0.join(CHECKOUTS).join(format!("{}-{}", &name[..end], hash_of(root)))
    }

    /// Returns the folder of the checkout with this root under the path that it had before.
    fn moved(&self, root: &Path) -> Option<PathBuf> {
        let identity = identity(root)?;
        let mut folders = self.folders().ok()?.into_iter();
        folders.find(|folder| {
            // A record that can't be read is of another checkout, or of none.
            let record = read_record(folder).ok().flatten();
            record.filter(|record| record.root == Some(identity)).is_some_and(|record| {
                let path = record.path.into_path();
                path == root || self::identity(&path) != Some(identity)
            })
        })
    }

    fn folders(&self) -> Result<Vec<PathBuf>, StoreError> {
        let folder = self.0.join(CHECKOUTS);
        let failed = |error| StoreError::from_io("list", &folder, error);
        match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries.map_err(failed)?.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect(),
        }
    }
}

impl RecordedPath {
    fn new(path: &Path) -> RecordedPath {
        match path.to_str() {
            Some(text) => RecordedPath::Text(text.to_owned()),
            None => RecordedPath::Bytes(path.as_os_str().to_owned()),
        }
    }

    fn into_path(self) -> PathBuf {
        match self {
            RecordedPath::Text(text) => text.into(),
            RecordedPath::Bytes(bytes) => bytes.into(),
        }
    }
}

/// Creates the folder of a database, for the current user only, and checks that it can be written: SQLite would report
/// that only much later.
///
/// # Errors
/// When it can't be created or written.
pub fn prepare_file(database: &Path) -> Result<(), StoreError> {
    let folder = atomic_file::folder(database);
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| StoreError::from_io("make", folder, error))?;
    tempfile::tempfile_in(folder).map(drop).map_err(|error| StoreError::from_io("write into", folder, error))
}

/// Renames the folder of a checkout that was moved to `root`. Returns where it is: under its old name, if the data folder
/// can't be written. The record comes first, so that an interrupted process leaves a folder that is found again.
fn rename(moved: PathBuf, folder: PathBuf, root: &Path) -> PathBuf {
    let parent = folder.parent().unwrap_or(&folder);
    let is_renamed =
        write_record(&moved, root).is_ok() && fs::create_dir_all(parent).is_ok() && fs::rename(&moved, &folder).is_ok();
    // Another process may have been first.
    if is_renamed || folder.exists() { folder } else { moved }
}

/// Returns whether the folder is that of another repository, which was at the same path before.
fn is_of_another(folder: &Path, root: &Path) -> bool {
    // Indexing writes a record again that can't be read.
    let Ok(Some(record)) = read_record(folder) else { return false };
    record.root != identity(root) && record.origin.excludes(root)
}

/// Gives the folder a name that no path has. Returns the name that is free: the former one, if the data folder can be
/// written.
fn set_aside(folder: PathBuf) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut number = 1_u32;
    let mut aside = folder.with_file_name(format!("{name}~1"));
    while aside.exists() {
        number += 1;
        aside.set_file_name(format!("{name}~{number}"));
    }
    if fs::rename(&folder, &aside).is_ok() || !folder.exists() { folder } else { aside }
}

fn canonical(root: &Path) -> Result<PathBuf, StoreError> {
    root.canonicalize().map_err(|cause| StoreError::Checkout { path: root.to_owned(), cause })
}

fn hash_of(root: &Path) -> String {
    blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned()
}

fn identity(root: &Path) -> Option<RootIdentity> {
    let metadata = fs::metadata(root).ok()?;
    let created = metadata.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let (device, inode) = device_and_inode(&metadata)?;
    Some(RootIdentity { device, inode, created: u64::try_from(created.as_nanos()).ok()? })
}

#[cfg(unix)]
fn device_and_inode(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn device_and_inode(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

fn read_record(folder: &Path) -> Result<Option<Record>, StoreError> {
    let path = folder.join(RECORD);
    let invalid = |detail: String| StoreError::Record { path: path.clone(), detail };
    let length = match fs::metadata(&path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        metadata => metadata.map_err(|error| StoreError::from_io("open", &path, error))?.len(),
    };
    if length > MAX_RECORD_BYTES {
        return Err(invalid(format!("it has more than {MAX_RECORD_BYTES} bytes")));
    }
    let bytes = fs::read(&path).map_err(|error| StoreError::from_io("read", &path, error))?;
    serde_json::from_slice(&bytes).map(Some).map_err(|error| invalid(error.to_string()))
}

/// Records the checkout of a folder. Nothing is written if the record is the same.
fn write_record(folder: &Path, root: &Path) -> Result<(), StoreError> {
    let known = read_record(folder).ok().flatten();
    // An early commit is in more clones than a late one.
    let origin = known.as_ref().map(|known| known.origin.clone()).filter(|origin| !origin.is_unknown());
    let origin = origin.unwrap_or_else(|| Origin::read(root));
    let record = Record { path: RecordedPath::new(root), root: identity(root), origin };
    if known.as_ref() == Some(&record) {
        return Ok(());
    }
    let path = folder.join(RECORD);
    let failed = |error| StoreError::from_io("write", &path, error);
    let bytes = serde_json::to_vec(&record).expect("texts, bytes and numbers have a form in JSON");
    atomic_file::replace(&path, &bytes, atomic_file::PRIVATE).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Checkouts {
        folder: tempfile::TempDir,
        data: DataFolder,
    }

    impl Checkouts {
        fn new() -> Checkouts {
            let folder = tempfile::tempdir().unwrap();
            let data = DataFolder::new(folder.path().join("data"));
            Checkouts { folder, data }
        }

        /// Creates a checkout with an index; returns its root.
        fn add(&self, name: &str) -> PathBuf {
            let root = self.folder.path().join(name);
            fs::create_dir(&root).unwrap();
            fs::write(self.data.prepare(&root).unwrap(), name).unwrap();
            root
        }

        fn content(&self, root: &Path) -> Option<String> {
            fs::read_to_string(self.data.database(root).unwrap()).ok()
        }
    }

    #[test]
    fn nothing_is_written_into_the_repository() {
        let checkouts = Checkouts::new();
        let root = checkouts.add("a b");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
        let [known] = &checkouts.data.checkouts().unwrap()[..] else { panic!("one checkout") };
        assert_eq!((known.checkout.clone(), known.is_gone), (root.canonicalize().unwrap(), false));
        assert!(known.folder.file_name().unwrap().to_str().unwrap().starts_with("a_b-"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&known.folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_moved_checkout_finds_its_folder() {
        let checkouts = Checkouts::new();
        let (one, other) = (checkouts.add("one"), checkouts.add("other"));
        let moved = checkouts.folder.path().join("moved");
        fs::rename(&one, &moved).unwrap();
        assert_eq!(checkouts.content(&moved).as_deref(), Some("one"));
        assert_eq!(checkouts.content(&other).as_deref(), Some("other"));
        assert_eq!(checkouts.data.checkouts().unwrap().len(), 2);
        // And back, where the path is free again.
        fs::rename(&moved, &one).unwrap();
        assert_eq!(checkouts.content(&one).as_deref(), Some("one"));
    }

    /// Adds a commit to a repository, which is created first.
    fn commit(root: &Path, message: &str) {
        let repository = git2::Repository::init(root).unwrap();
        let author = git2::Signature::now("A", "a@example.com").unwrap();
        let tree = repository.find_tree(repository.treebuilder(None).unwrap().write().unwrap()).unwrap();
        repository.commit(Some("HEAD"), &author, &author, message, &tree, &[]).unwrap();
    }

    #[test]
    fn another_repository_at_the_path_of_a_moved_one_has_a_folder_of_its_own() {
        let checkouts = Checkouts::new();
        let one = checkouts.folder.path().join("one");
        fs::create_dir(&one).unwrap();
        commit(&one, "first");
        fs::write(checkouts.data.prepare(&one).unwrap(), "one").unwrap();
        let elsewhere = checkouts.folder.path().join("elsewhere");
        fs::rename(&one, &elsewhere).unwrap();
        fs::create_dir(&one).unwrap();
        commit(&one, "second");
        assert_eq!(checkouts.content(&one), None, "the path is asked before the moved checkout");
        fs::write(checkouts.data.prepare(&one).unwrap(), "second").unwrap();
        let known = checkouts.data.checkouts().unwrap();
        assert_eq!(known.iter().map(|checkout| checkout.is_gone).collect::<Vec<_>>(), [false, true]);
        assert_eq!(checkouts.content(&elsewhere).as_deref(), Some("one"));
        assert_eq!(checkouts.content(&one).as_deref(), Some("second"));

        // The first one comes back.
        fs::remove_dir_all(&one).unwrap();
        fs::rename(&elsewhere, &one).unwrap();
        assert_eq!(checkouts.content(&one).as_deref(), Some("one"));
    }

    #[test]
    fn a_new_clone_and_a_folder_without_git_keep_the_folder_of_their_path() {
        let checkouts = Checkouts::new();
        let one = checkouts.folder.path().join("one");
        let clone_again = |remote: Option<&str>| {
            fs::remove_dir_all(&one).ok();
            fs::create_dir(&one).unwrap();
            commit(&one, remote.unwrap_or("plain"));
            if let Some(remote) = remote {
                git2::Repository::open(&one).unwrap().remote("origin", remote).unwrap();
            }
        };
        clone_again(Some("https://example.com/a/b"));
        fs::write(checkouts.data.prepare(&one).unwrap(), "one").unwrap();
        clone_again(Some("git@example.com:a/b.git"));
        assert_eq!(checkouts.content(&one).as_deref(), Some("one"));
        clone_again(Some("https://example.com/a/other"));
        assert_eq!(checkouts.content(&one), None);

        let plain = checkouts.add("plain");
        fs::remove_dir_all(&plain).unwrap();
        fs::create_dir(&plain).unwrap();
        assert_eq!(checkouts.content(&plain).as_deref(), Some("plain"));
    }

    #[test]
    fn another_folder_at_a_new_path_finds_nothing() {
        let checkouts = Checkouts::new();
        let one = checkouts.add("one");
        fs::remove_dir_all(&one).unwrap();
        let other = checkouts.folder.path().join("other");
        fs::create_dir(&other).unwrap();
        assert_eq!(checkouts.content(&other), None);
        let [gone] = &checkouts.data.checkouts().unwrap()[..] else { panic!("one checkout") };
        assert!(gone.is_gone && gone.checkout.ends_with("one"));
    }

    #[test]
    fn a_missing_root_is_an_error_and_creates_nothing() {
        let checkouts = Checkouts::new();
        let root = checkouts.folder.path().join("missing");
        let message = checkouts.data.prepare(&root).unwrap_err().to_string();
        assert!(message.contains("missing"), "{message}");
        assert!(!root.exists() && !checkouts.folder.path().join("data").exists());
    }

    #[test]
    fn a_damaged_record_is_named() {
        let checkouts = Checkouts::new();
        let root = checkouts.add("one");
        let record = checkouts.data.database(&root).unwrap().with_file_name(RECORD);
        fs::write(&record, "[").unwrap();
        assert!(checkouts.data.checkouts().unwrap_err().to_string().contains(RECORD));
        checkouts.data.prepare(&root).unwrap();
        assert_eq!(checkouts.data.checkouts().unwrap().len(), 1, "indexing writes it again");
    }
}
