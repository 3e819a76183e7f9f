//! Installation of systems from package registries into a cache folder, and the check whether one can run here.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::process::{CommandLine, Finished, run};
use super::system::{Registry, System, Values, script};

/// Time that an installation may take.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(1_800);
/// Time that a check may take.
const CHECK_TIMEOUT: Duration = Duration::from_secs(120);
/// Name of the file about an installation.
const MANIFEST: &str = "installed.json";

/// An installed system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    pub packages: Vec<String>,
    /// BLAKE3 hash over the paths and contents of its files.
    pub hash: String,
    pub bytes: u64,
    pub seconds: u64,
}

/// The state of a system on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It runs; the hash is that of its files, if it was installed.
    Usable {
        hash: Option<String>,
    },
    Absent {
        reason: String,
    },
}

/// The cache folder with the installed systems.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Returns the cache in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// Returns the folder of a system.
    pub fn folder(&self, system: &System) -> PathBuf {
        self.folder.join(&system.install.folder)
    }

    /// Installs a system unless its packages are installed.
    ///
    /// # Errors
    /// Returns the reason as text when a command fails or the folder can't be written.
    pub fn install(&self, system: &System) -> Result<(), String> {
        let folder = self.folder(system);
        if self.installed(system).is_some_and(|installed| installed.packages == system.install.packages) {
            return write_scripts(system, &folder);
        }
        let commands = commands(system, &folder);
        if commands.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&folder).map_err(|error| format!("can't create {}: {error}", folder.display()))?;
        let mut seconds = 0.0;
        for words in commands {
            let line =
                CommandLine { words, directory: folder.clone(), environment: Vec::new(), timeout: INSTALL_TIMEOUT };
            let finished = run(&line).map_err(|error| format!("{}: {error}", line.words[0]))?;
            if let Some(failure) = finished.failure {
                return Err(format!("installation failed: {failure}"));
            }
            seconds += finished.seconds;
        }
        let (hash, bytes) = hash(&folder).map_err(|error| format!("can't read {}: {error}", folder.display()))?;
        let packages = system.install.packages.clone();
        let installed = Installed { packages, hash, bytes, seconds: seconds as u64 };
        let text = serde_json::to_string_pretty(&installed).map_err(|error| error.to_string())?;
        fs::write(folder.join(MANIFEST), text).map_err(|error| error.to_string())?;
        write_scripts(system, &folder)
    }

    /// Returns the installed packages of a system; `None` if none are.
    pub fn installed(&self, system: &System) -> Option<Installed> {
        let text = fs::read_to_string(self.folder(system).join(MANIFEST)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Returns whether a system can run here, by its check.
    pub fn state(&self, system: &System, values: &Values) -> State {
        let absent = |reason: String| State::Absent { reason };
        let needs_packages = !matches!(system.install.registry, Registry::Own | Registry::Path);
        let installed = self.installed(system);
        if needs_packages && installed.is_none() {
            return absent("not installed; use --install".to_owned());
        }
        let hash = installed.map(|installed| installed.hash);
        if system.install.check.is_empty() {
            return State::Usable { hash };
        }
        let line = CommandLine {
            words: system.install.check.iter().map(|word| values.expand(word)).collect(),
            directory: std::env::temp_dir(),
            environment: system.environment.iter().map(|(name, value)| (name.clone(), values.expand(value))).collect(),
            timeout: CHECK_TIMEOUT,
        };
        match run(&line) {
            Err(error) => absent(format!("{} can't be started: {error}", line.words[0])),
            Ok(Finished { failure: Some(failure), .. }) => absent(failure),
            Ok(finished) if !finished.stdout.contains(&system.install.check_prints) => {
                absent(format!("its check printed {}", finished.stdout.trim()))
            }
            Ok(_) => State::Usable { hash },
        }
    }
}

/// Returns the commands of the registry's client.
fn commands(system: &System, folder: &Path) -> Vec<Vec<String>> {
    let packages = system.install.packages.iter().cloned();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    match system.install.registry {
        Registry::Own | Registry::Path => Vec::new(),
        Registry::Npm => {
            let flags = ["npm", "install", "--prefix", ".", "--no-audit", "--no-fund", "--loglevel=error"];
            vec![words(&flags).into_iter().chain(packages).collect()]
        }
        Registry::Pypi => {
            let pip = vec![path("venv/bin/pip"), "install".to_owned(), "--quiet".to_owned()];
            vec![words(&["python3", "-m", "venv", "venv"]), pip.into_iter().chain(packages).collect()]
        }
        Registry::Crates => {
            let flags = ["cargo", "install", "--quiet", "--locked", "--root", "."];
            vec![words(&flags).into_iter().chain(packages).collect()]
        }
    }
}

fn write_scripts(system: &System, folder: &Path) -> Result<(), String> {
    for name in &system.install.scripts {
        let text = script(name).ok_or_else(|| format!("there is no script {name}"))?;
        fs::write(folder.join(name), text).map_err(|error| format!("can't write {name}: {error}"))?;
    }
    Ok(())
}

/// Returns the hash and size of the regular files of a folder, by path.
fn hash(folder: &Path) -> std::io::Result<(String, u64)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            match () {
                () if kind.is_dir() => folders.push(entry.path()),
                () if kind.is_file() => paths.push(entry.path()),
                () => (),
            }
        }
    }
    paths.sort_unstable();
    let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
    for path in paths {
        let content = fs::read(&path)?;
        hasher.update(path.strip_prefix(folder).unwrap_or(&path).as_os_str().as_encoded_bytes());
        hasher.update(blake3::hash(&content).as_bytes());
        bytes += content.len() as u64;
    }
    Ok((hasher.finalize().to_hex().to_string(), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(check: &str, prints: &str) -> System {
        let text = format!(
            "name = 'x'\ntitle = 'X'\nversion = '1'\nlicense = 'MIT'\nupdates = false\nlearns = false\n\
             gives_scores = false\n[install]\nregistry = 'path'\ncheck = ['sh', '-c', '{check}']\n\
             check_prints = '{prints}'\n[query]\ncommand = []\nbudget = 'cut'\nadapter = 'gcf'\n"
        );
        System::parse("x.toml", &text).unwrap()
    }

    #[test]
    fn system_that_cannot_run_is_absent_with_its_reason() {
        let cache = Cache::new(std::env::temp_dir());
        let state = |check: &str, prints: &str| cache.state(&system(check, prints), &Values::default());
        assert_eq!(state("exit 0", ""), State::Usable { hash: None });
        let State::Absent { reason } = state("echo no GLIBC >&2; exit 1", "") else { panic!("usable") };
        assert!(reason.contains("no GLIBC"), "{reason}");
        assert!(matches!(state("echo 0 symbols", "usable"), State::Absent { .. }));
    }

    #[test]
    fn package_system_must_be_installed_first() {
        let temporary = tempfile::tempdir().unwrap();
        let mut system = system("exit 0", "");
        (system.install.registry, system.install.folder) = (Registry::Npm, "x".to_owned());
        let cache = Cache::new(temporary.path().to_owned());
        let State::Absent { reason } = cache.state(&system, &Values::default()) else { panic!("usable") };
        assert!(reason.contains("--install"));
    }

    #[test]
    fn hash_depends_on_paths_and_contents() {
        let temporary = tempfile::tempdir().unwrap();
        fs::create_dir(temporary.path().join("a")).unwrap();
        fs::write(temporary.path().join("a/b"), "one").unwrap();
        let one = hash(temporary.path()).unwrap();
        fs::write(temporary.path().join("a/b"), "two").unwrap();
        assert_ne!(hash(temporary.path()).unwrap().0, one.0);
        assert_eq!(one.1, 3);
    }
}
