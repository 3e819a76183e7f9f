//! `knowing-eval report`: writes the report on runs of several systems.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::replacement::unwritable;
use crate::cross::report::{PLOTS, report};
use crate::cross::run::CrossRun;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::session::Session;

/// Arguments of `eval report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Folders of runs; what a later run measured again replaces the earlier result
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Folder to write to [default: the last RUN]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Writes `report.html`, `report.md`, `report.json` and the plots.
///
/// # Errors
/// When a run can't be read, or a file can't be written.
pub fn run(session: &Session, arguments: &ReportArguments) -> Result<Status, CliError> {
    let runs: Vec<CrossRun> = arguments.runs.iter().map(|folder| read(folder)).collect::<Result<_, _>>()?;
    let (Some(joined), Some(last)) = (CrossRun::join(runs), arguments.runs.last()) else {
        return Err(CliError::Usage("no run is named".to_owned()));
    };
    let report = report(&joined);
    let out = arguments.out.as_ref().unwrap_or(last);
    let plots = out.join(PLOTS);
    fs::create_dir_all(&plots).map_err(|error| unwritable(&plots, &error))?;
    write(&out.join("report.html"), &report.html)?;
    write(&out.join("report.md"), &report.markdown)?;
    write(&out.join("report.json"), &report.json)?;
    for (name, image) in &report.plots {
        write(&plots.join(name), image)?;
    }
    session.note(&format!("wrote {}", out.join("report.html").display()));
    Ok(Status::Success)
}

fn read(folder: &Path) -> Result<CrossRun, CliError> {
    let text = |name: &str| match fs::read_to_string(folder.join(name)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    CrossRun::read(&text).map_err(|error| CliError::Usage(format!("{}: {error}", folder.display())))
}

fn write(file: &Path, text: &str) -> Result<(), CliError> {
    fs::write(file, text).map_err(|error| unwritable(file, &error))
}
