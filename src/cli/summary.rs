//! Statistics of an index, as tables or as JSON.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, BOLD, Table, stdout, styled};
use super::session::Session;
use super::status::unreadable;
use crate::engine::{Engine, Reader, Unresolved, files_without_grammar, other_build, unresolved};
use crate::render::json;
use crate::text::display::{bytes, thousands};
use crate::workspace::{Member, Workspace};

/// Counts over an index. The keys of the maps are names in output.
#[derive(Debug, Serialize)]
pub struct Summary {
    repository: String,
    database: String,
    files: u64,
    source_bytes: u64,
    database_bytes: u64,
    languages: BTreeMap<String, u64>,
    /// By extension, without the dot.
    without_grammar: BTreeMap<String, WithoutGrammar>,
    /// Files of prose and their sections, which are searched beside the code.
    documents: BTreeMap<&'static str, u64>,
    skips: BTreeMap<String, u64>,
    /// Number of lines of which the grammars made nothing.
    unparsed_lines: u64,
    symbols: BTreeMap<&'static str, u64>,
    edges: BTreeMap<&'static str, u64>,
    unresolved: BTreeMap<&'static str, u64>,
}

/// Source files that no grammar reads.
#[derive(Debug, Serialize)]
struct WithoutGrammar {
    language: &'static str,
    files: u64,
}

impl Summary {
    /// Counts the contents of the engine's index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn from_engine(engine: &Engine) -> Result<Summary, CliError> {
        let reader = engine.reader().map_err(|error| unreadable(engine, error))?;
        let stats = reader.stats()?;
        let (unparsed, unresolved): (Vec<_>, Vec<_>) =
            unresolved(&reader)?.into_iter().partition(|(reason, _)| *reason == Unresolved::UnparsedLine);
        let unparsed_lines = unparsed.into_iter().map(|(_, lines)| lines).sum();
        let without_grammar = files_without_grammar(&reader)?;
        Ok(Summary {
            repository: reader.repository().to_owned(),
            database: engine.database().display().to_string(),
            files: stats.file_count(),
            source_bytes: stats.source_bytes(),
            database_bytes: stats.database_bytes,
            languages: stats.languages.iter().map(|(language, files, _)| (language.clone(), *files)).collect(),
            without_grammar: (without_grammar.into_iter())
                .map(|row| (row.extension, WithoutGrammar { language: row.language, files: row.files }))
                .collect(),
            documents: documents(&reader)?,
            skips: stats.skips.iter().cloned().collect(),
            unparsed_lines,
            symbols: stats.symbols.iter().map(|(kind, count)| (kind.name(), *count)).collect(),
            edges: stats.edges.iter().map(|(edge_type, count)| (edge_type.name(), *count)).collect(),
            unresolved: unresolved.into_iter().map(|(reason, count)| (reason.name(), count)).collect(),
        })
    }

    /// Returns the numbers of files, symbols and edges.
    pub fn totals(&self) -> [u64; 3] {
        [self.files, self.symbols.values().sum(), self.edges.values().sum()]
    }

    /// Returns the size of the database.
    pub fn database_bytes(&self) -> u64 {
        self.database_bytes
    }

    /// Writes the summary as tables.
    ///
    /// # Errors
    /// When `out` can't be written.
    pub fn write(&self, out: &mut impl Write, colored: bool) -> Result<(), CliError> {
        writeln!(out, "{}  {}", styled(colored, BOLD, "repository"), crate::text::display::safe(&self.repository))?;
        writeln!(out, "{}    {}", styled(colored, BOLD, "database"), crate::text::display::safe(&self.database))?;
        writeln!(
            out,
            "{}        {} source, {} database",
            styled(colored, BOLD, "size"),
            bytes(self.source_bytes),
            bytes(self.database_bytes)
        )?;
        section(out, colored, "files by language", &self.languages)?;
        let without_grammar = self.without_grammar.iter();
        let without_grammar: BTreeMap<String, u64> =
            without_grammar.map(|(extension, row)| (format!(".{extension} ({})", row.language), row.files)).collect();
        section(out, colored, "files without a grammar", &without_grammar)?;
        if let Some(way_out) = other_build(self.without_grammar.values().map(|row| row.language)) {
            writeln!(out, "{way_out}")?;
        }
        for (name, count) in &self.documents {
            writeln!(out, "{}: {}", name.replace('_', " "), thousands(*count as usize))?;
        }
        section(out, colored, "skipped files", &self.skips)?;
        let unparsed = BTreeMap::from([("in syntax errors (--skips names the files)", self.unparsed_lines)]);
        if self.unparsed_lines > 0 {
            section(out, colored, "lines not parsed", &unparsed)?;
        }
        section(out, colored, "symbols by kind", &self.symbols)?;
        section(out, colored, "edges by type", &self.edges)?;
        section(out, colored, "unresolved names", &self.unresolved)
    }
}

/// Returns the numbers of documents and of their sections; nothing without documents.
fn documents(reader: &Reader) -> Result<BTreeMap<&'static str, u64>, CliError> {
    let files = reader.documents()?.len() as u64;
    let counts = BTreeMap::from([("documents", files), ("sections_of_documents", reader.section_count()?)]);
    Ok(if files == 0 { BTreeMap::new() } else { counts })
}

/// Writes a table of counts, largest first, with their sum. Writes nothing when there are none.
fn section<K: AsRef<str>>(
    out: &mut impl Write,
    colored: bool,
    heading: &'static str,
    counts: &BTreeMap<K, u64>,
) -> Result<(), CliError> {
    if counts.is_empty() {
        return Ok(());
    }
    let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(name, count)| (name.as_ref(), *count)).collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    let mut table = Table::new(&[(heading, Align::Left), ("count", Align::Right)]);
    for (name, count) in &sorted {
        table.row([name, &thousands(*count as usize)]);
    }
    if sorted.len() > 1 {
        table.row(["total", &thousands(counts.values().sum::<u64>() as usize)]);
    }
    writeln!(out)?;
    Ok(table.write(out, colored)?)
}

/// The index of one repository in JSON.
#[derive(Serialize)]
struct MemberRecord {
    label: String,
    #[serde(flatten)]
    summary: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Prints a line about each index. The status is that of a failed check if a repository has none.
///
/// # Errors
/// When the output can't be written.
pub fn summaries(session: &Session, workspace: &Workspace, format: Format) -> Result<Status, CliError> {
    let member_record = |member: &Member| {
        let (summary, failure) = match Summary::from_engine(member.engine()) {
            Ok(summary) => (Some(summary), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let problem = member.problem().map(str::to_owned).or(failure);
        MemberRecord { label: member.label().to_owned(), summary, problem }
    };
    let records: Vec<MemberRecord> = workspace.members().iter().map(member_record).collect();
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(records.iter()).as_bytes())?,
        Format::Text => {
            let right = Align::Right;
            let mut table = Table::new(&[
                ("repository", Align::Left),
                ("files", right),
                ("symbols", right),
                ("edges", right),
                ("database", right),
            ]);
            for record in &records {
                let Some(summary) = &record.summary else { continue };
                let [files, symbols, edges] = summary.totals().map(|count| thousands(count as usize));
                table.row([&record.label, &files, &symbols, &edges, &bytes(summary.database_bytes())]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    let mut is_complete = true;
    for record in &records {
        if let Some(problem) = &record.problem {
            session.note(&format!("{}: {problem}", record.label));
            is_complete = false;
        }
    }
    Ok(if is_complete { Status::Success } else { Status::NothingFound })
}
