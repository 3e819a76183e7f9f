//! `knowing vocab`: words that were learned from use.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;
use super::exit::{CliError, Status};
use super::feedback::{Step, imported, lines, step, text};
use super::output::{Align, Table, stdout};
use super::session::Session;
use crate::render::json;

/// Look after the words that were learned from use
///
/// Each word of a task and each symbol that was useful for it is one observation. From the second one on the word leads to
/// the symbol, in every task that says it, until the symbol's file (in Go, its folder) changes.
#[derive(Debug, Args)]
pub struct VocabArguments {
    #[command(subcommand)]
    pub action: VocabAction,
}

#[derive(Debug, Subcommand)]
pub enum VocabAction {
    /// List the words, those that count not yet or no more among them
    List {
        /// How the result is printed
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Forget a word
    Forget {
        /// The word, in any form
        word: String,
        /// Only for this symbol
        #[arg(long, value_name = "SYMBOL")]
        symbol: Option<String>,
    },
    #[command(flatten)]
    Step(Step),
    /// Print the words that count, as JSON lines
    Export,
    /// Add words that were exported, as one act; what is known already adds nothing
    Import {
        /// File to read; `-` is standard input
        file: PathBuf,
    },
}

pub fn run(session: &Session, arguments: &VocabArguments) -> Result<Status, CliError> {
    let engine = session.indexed()?;
    let mut learner = engine.learner(None)?;
    match &arguments.action {
        VocabAction::List { format } => {
            let words = learner.words()?;
            let mut out = stdout();
            match format {
                Format::Json => out.write_all(json::list(words.iter()).as_bytes())?,
                Format::Text if words.is_empty() => session.note("no word was learned yet"),
                Format::Text => {
                    let right = |heading| (heading, Align::Right);
                    let [word, symbol] = ["word", "symbol"].map(|heading| (heading, Align::Left));
                    let mut table = Table::new(&[word, symbol, right("seen"), right("weight"), right("expired")]);
                    for word in &words {
                        let [seen, expired] = [word.observations, word.expired].map(|count| count.to_string());
                        table.row([&word.keyword, &word.symbol, &seen, &format!("{:.2}", word.weight), &expired]);
                    }
                    table.write(&mut out, session.colors.stdout)?;
                }
            }
            out.flush()?;
            Ok(Status::for_count(words.len()))
        }
        VocabAction::Forget { word, symbol } => {
            let count = learner.forget(word, symbol.as_deref())?;
            session.note(&match count {
                0 => format!("`{word}` was not learned; `knowing vocab list` shows what was"),
                count => format!("`{word}` forgotten for {count} symbols; `knowing vocab undo` takes that back"),
            });
            Ok(Status::for_count(count))
        }
        VocabAction::Step(way) => step(session, &mut learner, way),
        VocabAction::Export => lines(&learner.export_words()?),
        VocabAction::Import { file } => {
            let acts = learner.import_words(&text(file)?)?;
            imported(session, &learner, &acts)
        }
    }
}
