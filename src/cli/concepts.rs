//! `knowing concepts`: lists concepts, checks seed files, and shows the concepts that match a task.

use std::collections::BTreeMap;
use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table};
use super::session::Session;
use crate::engine::Ranker;
use crate::engine::concepts::{Concept, Diagnostic, Layer, MatchedConcept, Vocabulary};
use crate::model::Task;
use crate::render::{json, scoped_name};
use crate::workspace::Member;

/// List, check and try the concepts that connect phrases to symbols
///
/// A concept maps phrases of a task to names of symbols. There are built-in concepts for software in general,
/// frameworks, application domains and languages. TOML files in `knowing/seeds` of your configuration folder and in
/// `.knowing/seeds` of a repository add concepts, replace those of the same name, or disable them with
/// `disable = ["CONCEPT"]`.
#[derive(Debug, Args)]
pub struct ConceptsArguments {
    #[command(subcommand)]
    pub action: ConceptsAction,
}

/// Subcommands of `concepts`.
#[derive(Debug, Subcommand)]
pub enum ConceptsAction {
    /// List the concepts, including yours and this repository's
    List {
        /// List one layer only
        #[arg(long, value_name = "LAYER", value_parser = PossibleValuesParser::new(LAYERS))]
        layer: Option<String>,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Report problems: invalid files, missing references, duplicates, nested phrases, generic or dead targets
    ///
    /// The targets of this repository's own concepts, and of the framework that the repository implements, must be
    /// symbols of the index.
    Check {
        /// Check the concepts of this framework against the index, even if no manifest names the repository as the
        /// framework
        #[arg(long, value_name = "FRAMEWORK", alias = "of")]
        framework: Option<String>,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Show the concepts that match a task, and their symbols with their ranks
    Match {
        /// The task, in plain words
        #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
        task: String,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
}

/// The layers that are read from files.
const LAYERS: [&str; 5] = ["repository", "framework", "universal", "domain", "language"];

/// Lists, checks or matches concepts.
///
/// # Errors
/// When an argument is invalid, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &ConceptsArguments) -> Result<Status, CliError> {
    match &arguments.action {
        ConceptsAction::List { layer, format } => {
            let workspace = session.workspace(&[])?;
            let list = |member: &Member, out: &mut dyn Write| {
                list(session, &member.engine().vocabulary(), layer.as_deref(), *format, out)
            };
            Ok(Status::any(&session.each(&workspace, *format, list)?))
        }
        ConceptsAction::Check { framework, format } => {
            let workspace = session.loaded(None)?;
            let check = |member: &Member, out: &mut dyn Write| match member.ranker() {
                Some(ranker) => check(session, ranker, framework.as_deref(), *format, out),
                None => Ok(Status::NothingFound),
            };
            Ok(Status::all(&session.each(&workspace, *format, check)?))
        }
        ConceptsAction::Match { task, format } => {
            if task.trim().is_empty() {
                return Err(CliError::Usage("the task is empty; describe it in a few words".to_owned()));
            }
            let task = Task::from_text(task.as_str());
            let workspace = session.loaded(None)?;
            session.note_seeds(workspace.members().iter().filter_map(Member::ranker).map(Ranker::vocabulary));
            let matches = |member: &Member, out: &mut dyn Write| match member.ranker() {
                Some(ranker) => matches(session, ranker, &task, *format, out),
                None => Ok(Status::NothingFound),
            };
            Ok(Status::any(&session.each(&workspace, *format, matches)?))
        }
    }
}

#[derive(Serialize)]
struct ConceptRecord<'a> {
    concept: &'a str,
    layer: &'static str,
    weight: f64,
    framework: &'a str,
    language: Option<&'a str>,
    packages: &'a [String],
    phrases: Vec<&'a str>,
    targets: &'a [String],
    #[serde(rename = "ref")]
    reference: &'a str,
    file: &'a str,
    line: u32,
}

fn list(
    session: &Session,
    vocabulary: &Vocabulary,
    layer: Option<&str>,
    format: Format,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    session.note_seeds([vocabulary]);
    let mut concepts: Vec<&Concept> = (vocabulary.concepts().iter())
        .filter(|concept| layer.is_none_or(|layer| concept.layer.name() == layer))
        .collect();
    concepts.sort_by_key(|concept| concept.layer);
    match format {
        Format::Json => {
            let records = concepts.iter().map(|concept| concept_record(vocabulary, concept));
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text => {
            let mut table = Table::new(&[
                ("layer", Align::Left),
                ("concept", Align::Left),
                ("phrases", Align::Right),
                ("targets", Align::Right),
                ("location", Align::Left),
            ]);
            for concept in &concepts {
                table.row([
                    concept.layer.name(),
                    &concept.entry.concept,
                    &concept.entry.phrases.len().to_string(),
                    &concept.entry.targets.len().to_string(),
                    &format!("{}:{}", concept.path, concept.entry.line),
                ]);
            }
            table.write(&mut out, session.colors.stdout)?;
            session.note(&counts(vocabulary, &concepts));
        }
    }
    Ok(Status::for_count(concepts.len()))
}

fn concept_record<'a>(vocabulary: &'a Vocabulary, concept: &'a Concept) -> ConceptRecord<'a> {
    let (scope, entry) = (vocabulary.scope(concept), &concept.entry);
    ConceptRecord {
        concept: &entry.concept,
        layer: concept.layer.name(),
        weight: concept.layer.weight(),
        framework: &scope.name,
        language: scope.language.as_deref(),
        packages: &scope.packages,
        phrases: entry.phrases.iter().map(|phrase| phrase.text.as_str()).collect(),
        targets: &entry.targets,
        reference: &entry.reference,
        file: &concept.path,
        line: entry.line,
    }
}

/// Returns the number of concepts in each layer, and of frameworks.
fn counts(vocabulary: &Vocabulary, concepts: &[&Concept]) -> String {
    let mut layers: BTreeMap<Layer, usize> = BTreeMap::new();
    let mut frameworks: Vec<&str> = Vec::new();
    for concept in concepts {
        *layers.entry(concept.layer).or_default() += 1;
        if concept.layer == Layer::Framework {
            frameworks.push(&vocabulary.scope(concept).name);
        }
    }
    frameworks.sort_unstable();
    frameworks.dedup();
    let layers: Vec<String> = layers.iter().map(|(layer, count)| format!("{} {count}", layer.name())).collect();
    let frameworks = if frameworks.is_empty() { String::new() } else { format!(" ({} frameworks)", frameworks.len()) };
    format!("{} concepts: {}{frameworks}", concepts.len(), layers.join(", "))
}

#[derive(Serialize)]
struct DiagnosticRecord<'a> {
    rule: &'static str,
    file: &'a str,
    line: u32,
    message: &'a str,
}

fn check(
    session: &Session,
    ranker: &Ranker,
    framework: Option<&str>,
    format: Format,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    if let Some(name) = framework {
        let mut scopes = ranker.vocabulary().concepts().iter().map(|concept| ranker.vocabulary().scope(concept));
        if !scopes.any(|scope| scope.name.eq_ignore_ascii_case(name)) {
            return Err(CliError::Usage(format!("unknown framework `{name}`; `knowing concepts list` shows them")));
        }
    }
    let diagnostics = ranker.check_concepts(framework)?;
    match format {
        Format::Json => {
            let records = diagnostics.iter().map(|Diagnostic { problem, rule }| DiagnosticRecord {
                rule: rule.name(),
                file: &problem.path,
                line: problem.line,
                message: &problem.message,
            });
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text if diagnostics.is_empty() => session.note("no problems found"),
        Format::Text => {
            let mut table = Table::new(&[("rule", Align::Left), ("location", Align::Left), ("problem", Align::Left)]);
            for Diagnostic { problem, rule } in &diagnostics {
                let location = match problem.line {
                    0 => problem.path.clone(),
                    line => format!("{}:{line}", problem.path),
                };
                table.row([rule.name(), &location, &problem.message]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    Ok(if diagnostics.is_empty() { Status::Success } else { Status::NothingFound })
}

#[derive(Serialize)]
struct MatchRecord<'a> {
    concept: &'a str,
    layer: &'static str,
    weight: f64,
    framework_use: &'static str,
    strong: bool,
    phrases: Vec<PhraseRecord<'a>>,
    targets: &'a [String],
    symbols: Vec<SymbolRecord<'a>>,
    #[serde(rename = "ref")]
    reference: &'a str,
}

#[derive(Serialize)]
struct PhraseRecord<'a> {
    phrase: &'a str,
    start: Option<usize>,
    end: Option<usize>,
}

#[derive(Serialize)]
struct SymbolRecord<'a> {
    symbol: &'a str,
    target: &'a str,
    file: &'a str,
    line: u32,
    value: f64,
    /// Rank in the task's ranking, from 1.
    rank: Option<usize>,
    contribution: f64,
}

fn matches(
    session: &Session,
    ranker: &Ranker,
    task: &Task,
    format: Format,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    let ranking = ranker.rank(task, &|| false)?.unwrap_or_default();
    let matches = ranker.matched_concepts(task, &ranking)?;
    match format {
        Format::Json => out.write_all(json::list(matches.iter().map(match_record)).as_bytes())?,
        Format::Text if matches.is_empty() => session.note("no concept matches the task in this repository"),
        Format::Text => write_matches(session, &matches, &mut out)?,
    }
    Ok(Status::for_count(matches.len()))
}

fn match_record(found: &MatchedConcept) -> MatchRecord<'_> {
    MatchRecord {
        concept: &found.concept,
        layer: found.layer.name(),
        weight: found.layer.weight(),
        framework_use: found.framework_use.name(),
        strong: found.strong,
        phrases: found
            .phrases
            .iter()
            .map(|(phrase, span)| PhraseRecord {
                phrase,
                start: span.as_ref().map(|span| span.start),
                end: span.as_ref().map(|span| span.end),
            })
            .collect(),
        targets: &found.targets,
        symbols: found
            .symbols
            .iter()
            .map(|one| SymbolRecord {
                symbol: one.symbol.short_name(),
                target: &one.target,
                file: &one.symbol.file,
                line: one.symbol.span.name_line,
                value: one.value,
                rank: one.rank,
                contribution: one.contribution,
            })
            .collect(),
        reference: &found.reference,
    }
}

fn write_matches(session: &Session, matches: &[MatchedConcept], out: &mut impl Write) -> Result<(), CliError> {
    let (left, right) = (|heading| (heading, Align::Left), |heading| (heading, Align::Right));
    let mut table = Table::new(&[
        left("concept"),
        left("layer"),
        left("repository"),
        left("strong"),
        left("phrase"),
        left("target"),
        left("symbol"),
        left("location"),
        right("rank"),
        right("contribution"),
    ]);
    for one in matches {
        let phrases: Vec<&str> = one.phrases.iter().map(|(phrase, _)| phrase.as_str()).collect();
        let phrases = phrases.join(", ");
        let strong = if one.strong { "yes" } else { "no" };
        let head = [one.concept.as_str(), one.layer.name(), one.framework_use.name(), strong, &phrases];
        for (index, found) in one.symbols.iter().enumerate() {
            let [concept, layer, framework_use, strong, phrases] = if index == 0 { head } else { [""; 5] };
            let symbol = scoped_name(&found.symbol);
            let location = found.symbol.place();
            let rank = found.rank.map_or("-".to_owned(), |rank| rank.to_string());
            let contribution = format!("{:+.4}", found.contribution + 0.0);
            let target = found.target.as_str();
            table.row([
                concept,
                layer,
                framework_use,
                strong,
                phrases,
                target,
                &symbol,
                &location,
                &rank,
                &contribution,
            ]);
        }
        if one.symbols.is_empty() {
            let [concept, layer, framework_use, strong, phrases] = head;
            let nothing = "no target is a symbol that shares words with the task";
            table.row([concept, layer, framework_use, strong, phrases, "", nothing, "", "", ""]);
        }
    }
    table.write(out, session.colors.stdout)?;
    Ok(())
}
