//! `knowing seeds`: the equivalence classes that tasks are read with.

use std::collections::BTreeMap;
use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use crate::engine::classes::{Class, FiredClass, Flaw, Layer, Vocabulary};
use crate::model::Task;
use crate::render::{json, scoped_name};

/// List, check and try the classes that tasks are read with
///
/// A class maps what people say to the symbols that they mean. The program brings classes for software in general, for
/// frameworks, application domains and languages; TOML files in `knowing/seeds` of your configuration folder and in
/// `.knowing/seeds` of a repository add to them, replace those of the same concept, or switch them off with
/// `disable = ["CONCEPT"]`.
#[derive(Debug, Args)]
pub struct SeedsArguments {
    #[command(subcommand)]
    pub action: SeedsAction,
}

#[derive(Debug, Subcommand)]
pub enum SeedsAction {
    /// List the classes, yours and this repository's among them
    List {
        /// Only those of one layer
        #[arg(long, value_name = "LAYER", value_parser = PossibleValuesParser::new(LAYERS))]
        layer: Option<String>,
        /// How the result is printed
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Look for flaws: unusable files, missing references, duplicates, nested phrases, generic or dead targets
    ///
    /// Targets are held against the index: those of this repository's own classes, and of the framework that it is, must be
    /// symbols here.
    Check {
        /// Hold the classes of this framework against the index, though no manifest says that the repository is it
        #[arg(long, value_name = "FRAMEWORK")]
        of: Option<String>,
        /// How the result is printed
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Show the classes that a task fires here, and the symbols they lead to with their ranks
    Match {
        /// The task, in plain words
        #[arg(long, value_name = "TEXT")]
        task: String,
        /// How the result is printed
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
}

/// Layers that have files.
const LAYERS: [&str; 5] = ["repository", "framework", "universal", "domain", "language"];

pub fn run(session: &Session, arguments: &SeedsArguments) -> Result<Status, CliError> {
    match &arguments.action {
        SeedsAction::List { layer, format } => list(session, layer.as_deref(), *format),
        SeedsAction::Check { of, format } => check(session, of.as_deref(), *format),
        SeedsAction::Match { task, format } => matches(session, task, *format),
    }
}

#[derive(Serialize)]
struct ClassRecord<'a> {
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

fn list(session: &Session, layer: Option<&str>, format: Format) -> Result<Status, CliError> {
    let engine = session.engine(None)?;
    let vocabulary = engine.vocabulary();
    session.note_seeds(&vocabulary);
    let mut classes: Vec<&Class> =
        vocabulary.classes().iter().filter(|class| layer.is_none_or(|layer| class.layer.name() == layer)).collect();
    classes.sort_by_key(|class| class.layer);
    let mut out = stdout();
    match format {
        Format::Json => {
            let records = classes.iter().map(|class| class_record(&vocabulary, class));
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text => {
            let mut table = Table::new(&[
                ("layer", Align::Left),
                ("concept", Align::Left),
                ("phrases", Align::Right),
                ("targets", Align::Right),
                ("where", Align::Left),
            ]);
            for class in &classes {
                table.row([
                    class.layer.name(),
                    &class.entry.concept,
                    &class.entry.phrases.len().to_string(),
                    &class.entry.targets.len().to_string(),
                    &format!("{}:{}", class.path, class.entry.line),
                ]);
            }
            table.write(&mut out, session.colors.stdout)?;
            session.note(&counts(&vocabulary, &classes));
        }
    }
    out.flush()?;
    Ok(Status::for_count(classes.len()))
}

fn class_record<'a>(vocabulary: &'a Vocabulary, class: &'a Class) -> ClassRecord<'a> {
    let (scope, entry) = (vocabulary.scope(class), &class.entry);
    ClassRecord {
        concept: &entry.concept,
        layer: class.layer.name(),
        weight: class.layer.weight(),
        framework: &scope.name,
        language: scope.language.as_deref(),
        packages: &scope.packages,
        phrases: entry.phrases.iter().map(|phrase| phrase.text.as_str()).collect(),
        targets: &entry.targets,
        reference: &entry.reference,
        file: &class.path,
        line: entry.line,
    }
}

/// How many classes each layer has, and how many frameworks they are for.
fn counts(vocabulary: &Vocabulary, classes: &[&Class]) -> String {
    let mut layers: BTreeMap<Layer, usize> = BTreeMap::new();
    let mut frameworks: Vec<&str> = Vec::new();
    for class in classes {
        *layers.entry(class.layer).or_default() += 1;
        if class.layer == Layer::Framework {
            frameworks.push(&vocabulary.scope(class).name);
        }
    }
    frameworks.sort_unstable();
    frameworks.dedup();
    let layers: Vec<String> = layers.iter().map(|(layer, count)| format!("{} {count}", layer.name())).collect();
    let of = if frameworks.is_empty() { String::new() } else { format!(", of {} frameworks", frameworks.len()) };
    format!(
        "{} classes: {}{of}; {} clusters of synonyms",
        classes.len(),
        layers.join(", "),
        vocabulary.thesaurus().clusters()
    )
}

#[derive(Serialize)]
struct FlawRecord<'a> {
    rule: &'static str,
    file: &'a str,
    line: u32,
    message: &'a str,
}

fn check(session: &Session, framework: Option<&str>, format: Format) -> Result<Status, CliError> {
    let (_, ranker) = session.ranker()?;
    if let Some(name) = framework {
        let mut scopes = ranker.vocabulary().classes().iter().map(|class| ranker.vocabulary().scope(class));
        if !scopes.any(|scope| scope.name.eq_ignore_ascii_case(name)) {
            return Err(CliError::Usage(format!("no framework is called `{name}`; `knowing seeds list` shows them")));
        }
    }
    let flaws = ranker.check_classes(framework)?;
    let mut out = stdout();
    match format {
        Format::Json => {
            let records = flaws.iter().map(|Flaw { problem, rule }| FlawRecord {
                rule: rule.name(),
                file: &problem.path,
                line: problem.line,
                message: &problem.message,
            });
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text if flaws.is_empty() => session.note("nothing is wrong with the classes"),
        Format::Text => {
            let mut table = Table::new(&[("flaw", Align::Left), ("where", Align::Left), ("what", Align::Left)]);
            for Flaw { problem, rule } in &flaws {
                let place = match problem.line {
                    0 => problem.path.clone(),
                    line => format!("{}:{line}", problem.path),
                };
                table.row([rule.name(), &place, &problem.message]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(if flaws.is_empty() { Status::Success } else { Status::NothingFound })
}

#[derive(Serialize)]
struct FiredRecord<'a> {
    concept: &'a str,
    layer: &'static str,
    weight: f64,
    standing: &'static str,
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
    /// In the ranking of the task.
    rank: Option<usize>,
    contribution: f64,
}

fn matches(session: &Session, task: &str, format: Format) -> Result<Status, CliError> {
    if task.trim().is_empty() {
        return Err(CliError::Usage("the task is empty; say it in plain words".to_owned()));
    }
    let (_, ranker) = session.ranker()?;
    session.note_seeds(ranker.vocabulary());
    let task = Task::words(task);
    let ranking = ranker.rank(&task, &|| false)?.unwrap_or_default();
    let fired = ranker.fired(&task, &ranking)?;
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(fired.iter().map(fired_record)).as_bytes())?,
        Format::Text if fired.is_empty() => {
            session.note("the task has no phrase of a class that is for this repository")
        }
        Format::Text => write_fired(session, &fired, &mut out)?,
    }
    out.flush()?;
    Ok(Status::for_count(fired.len()))
}

fn fired_record(fired: &FiredClass) -> FiredRecord<'_> {
    FiredRecord {
        concept: &fired.concept,
        layer: fired.layer.name(),
        weight: fired.layer.weight(),
        standing: fired.standing.name(),
        strong: fired.strong,
        phrases: fired
            .phrases
            .iter()
            .map(|(phrase, span)| PhraseRecord {
                phrase,
                start: span.as_ref().map(|span| span.start),
                end: span.as_ref().map(|span| span.end),
            })
            .collect(),
        targets: &fired.targets,
        symbols: fired
            .symbols
            .iter()
            .map(|one| SymbolRecord {
                symbol: one.symbol.short_name(),
                target: &one.target,
                file: &one.symbol.file,
                line: one.symbol.span.name_line,
                value: one.value,
                rank: one.place,
                contribution: one.contribution,
            })
            .collect(),
        reference: &fired.reference,
    }
}

fn write_fired(session: &Session, fired: &[FiredClass], out: &mut impl Write) -> Result<(), CliError> {
    let (left, right) = (|heading| (heading, Align::Left), |heading| (heading, Align::Right));
    let mut table = Table::new(&[
        left("concept"),
        left("layer"),
        left("for"),
        left("strong"),
        left("phrase"),
        left("target"),
        left("symbol"),
        left("where"),
        right("rank"),
        right("adds"),
    ]);
    for one in fired {
        let phrases: Vec<&str> = one.phrases.iter().map(|(phrase, _)| phrase.as_str()).collect();
        let phrases = phrases.join(", ");
        let strong = if one.strong { "yes" } else { "no" };
        let head = [one.concept.as_str(), one.layer.name(), one.standing.name(), strong, &phrases];
        for (index, found) in one.symbols.iter().enumerate() {
            let [concept, layer, standing, strong, phrases] = if index == 0 { head } else { [""; 5] };
            let symbol = scoped_name(&found.symbol);
            let place = format!("{}:{}", found.symbol.file, found.symbol.span.name_line);
            let rank = found.place.map_or("-".to_owned(), |place| place.to_string());
            let adds = format!("{:+.4}", found.contribution + 0.0);
            let target = found.target.as_str();
            table.row([concept, layer, standing, strong, phrases, target, &symbol, &place, &rank, &adds]);
        }
        if one.symbols.is_empty() {
            let [concept, layer, standing, strong, phrases] = head;
            table.row([
                concept,
                layer,
                standing,
                strong,
                phrases,
                "",
                "no target is a symbol here that the task speaks for",
                "",
                "",
                "",
            ]);
        }
    }
    table.write(out, session.colors.stdout)?;
    Ok(())
}
