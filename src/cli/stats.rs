//! `knowing stats`: what the index holds.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::failure::{Ending, Failure};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::summary::Summary;
use crate::render::json;

/// Show what the index holds: files, symbols, edges, sizes, names that were not resolved
#[derive(Debug, Args)]
pub struct StatsArguments {
    /// List the files that were left out, each with its reason
    #[arg(long)]
    pub skips: bool,
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Skip<'a> {
    path: &'a str,
    reason: &'a str,
}

pub fn run(session: &Session, arguments: &StatsArguments) -> Result<Ending, Failure> {
    let engine = session.engine(None)?;
    let mut out = stdout();
    if arguments.skips {
        let skips = engine.reader()?.skips()?;
        match arguments.format {
            Format::Json => {
                let skips = skips.iter().map(|skip| Skip { path: &skip.path, reason: &skip.reason });
                out.write_all(json::list(skips).as_bytes())?;
            }
            Format::Text => {
                let mut table = Table::new(&[("reason", Align::Left), ("file", Align::Left)]);
                skips.iter().for_each(|skip| table.row([&skip.reason, &skip.path]));
                table.write(&mut out, session.colors.stdout)?;
            }
        }
    } else {
        let summary = Summary::of(&engine)?;
        match arguments.format {
            Format::Json => out.write_all(json::line(&summary).as_bytes())?,
            Format::Text => summary.write(&mut out, session.colors.stdout)?,
        }
    }
    out.flush()?;
    Ok(Ending::Fine)
}
