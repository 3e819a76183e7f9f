//! The user's folders: settings, data, caches, by the XDG Base Directory Specification on every system.
//!
//! Relative paths in `HOME` and in the XDG variables are ignored: they would lead below the current folder, which can be a
//! repository.

use std::ffi::OsString;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The environment variable that names the data folder.
const HOME_VARIABLE: &str = "KNOWING_HOME";
/// Name of the program's folder in each of the user's folders.
const NAME: &str = "knowing";

/// The reason why a folder of the user is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDataFolder {
    #[error("there is no home folder; set {HOME_VARIABLE} to the folder where knowing may keep its indexes and votes")]
    NoHome,
    #[error("{variable} is {}, a relative path; set it to an absolute one", .folder.display())]
    Relative { variable: &'static str, folder: PathBuf },
}

/// Returns the folder of the settings; `None` without a home folder.
pub fn config() -> Option<PathBuf> {
    Some(config_home()?.join(NAME))
}

/// Returns the folder of the settings of all programs; `None` without a home folder.
pub fn config_home() -> Option<PathBuf> {
    absolute(etcetera::choose_base_strategy().ok()?.config_dir())
}

/// Returns the folder of what can be made again; `None` without a home folder.
pub fn cache() -> Option<PathBuf> {
    absolute(etcetera::choose_base_strategy().ok()?.cache_dir().join(NAME))
}

/// Returns the folder of indexes, votes and records: `KNOWING_HOME`, else `knowing` in the user's folder of data.
///
/// # Errors
/// When `KNOWING_HOME` is relative, or it is not set and there is no home folder.
pub fn data() -> Result<PathBuf, NoDataFolder> {
    let default = || etcetera::choose_base_strategy().ok().map(|base| base.data_dir().join(NAME));
    data_folder(std::env::var_os(HOME_VARIABLE), default)
}

/// Returns the folder that a variable names; `None` if it is empty or not set.
///
/// # Errors
/// When the path is relative: it would lead below the current folder.
pub fn chosen(variable: &'static str, value: Option<OsString>) -> Result<Option<PathBuf>, NoDataFolder> {
    match value.filter(|value| !value.is_empty()).map(PathBuf::from) {
        Some(folder) if !folder.is_absolute() => Err(NoDataFolder::Relative { variable, folder }),
        folder => Ok(folder),
    }
}

/// Returns the home folder; `None` if there is none.
pub fn home() -> Option<PathBuf> {
    absolute(etcetera::home_dir().ok()?)
}

fn data_folder(value: Option<OsString>, default: impl FnOnce() -> Option<PathBuf>) -> Result<PathBuf, NoDataFolder> {
    match chosen(HOME_VARIABLE, value)? {
        Some(folder) => Ok(folder),
        None => default().and_then(absolute).ok_or(NoDataFolder::NoHome),
    }
}

fn absolute(folder: PathBuf) -> Option<PathBuf> {
    folder.is_absolute().then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_folders_are_not_folders() {
        let folder = |chosen: Option<&str>, default: Option<&str>| {
            data_folder(chosen.map(OsString::from), || default.map(PathBuf::from))
        };
        assert_eq!(folder(Some("/k"), Some("/d")), Ok("/k".into()));
        assert_eq!(folder(None, Some("/d")), Ok("/d".into()));
        let relative = folder(Some("k"), Some("/d")).unwrap_err();
        assert_eq!(relative, NoDataFolder::Relative { variable: HOME_VARIABLE, folder: "k".into() });
        assert_eq!(folder(None, Some("rel/.local/share/knowing")), Err(NoDataFolder::NoHome));
        assert_eq!(folder(None, None), Err(NoDataFolder::NoHome));
        assert!(NoDataFolder::NoHome.to_string().contains(HOME_VARIABLE));
    }
}
