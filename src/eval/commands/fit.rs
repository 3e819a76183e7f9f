//! `knowing-eval fit`: fits the ranking model to feature values, and measures it on projects that were left out.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::replacement::Replacement;
use crate::fit::{
    Data, DataError, Fitted, LOSSES, Line, Prior, Settings, Suite, SuiteReport, Trainer, folds, learning_curve,
    validate,
};
use crate::model::Intent;
use crate::text;
use crate::training::FeatureFile;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, BOLD, Table, stdout, styled};
use knowing::cli::session::Session;

/// Arguments of `eval fit`.
#[derive(Debug, Args)]
pub struct FitArguments {
    /// Files that `knowing-eval features` wrote
    #[arg(required = true, value_name = "FEATURES")]
    pub files: Vec<PathBuf>,
    /// Write the model to this file
    #[arg(long, short, value_name = "FILE", required_unless_present = "only_report")]
    pub output: Option<PathBuf>,
    /// Measure the projects in this many folds, each with a model of the others
    #[arg(long, value_name = "FOLDS", value_parser = clap::value_parser!(u32).range(2..=1_000))]
    pub folds: Option<u32>,
    /// Measure every project with a model of all others
    #[arg(long, conflicts_with = "folds")]
    pub leave_one_out: bool,
    /// Measure commits with models of 5, 10 and all other repositories
    #[arg(long)]
    pub learning_curve: bool,
    /// Exclude features by name, separated by commas
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Regularization of locate: toward flat shapes, and toward straight ones
    #[arg(long, num_args = 2, value_names = ["SLOPE", "DEVIATION"], value_parser = positive)]
    pub prior: Option<Vec<f64>>,
    /// Regularization of the difference between explore and locate: toward flat, and toward straight shapes
    #[arg(long, num_args = 2, value_names = ["SLOPE", "DEVIATION"], value_parser = positive)]
    pub explore_prior: Option<Vec<f64>>,
    /// Exclude features from explore by name, separated by commas, instead of those that only locate has
    #[arg(long, value_name = "FEATURES", value_delimiter = ',', num_args = 0..)]
    pub explore_without: Option<Vec<String>>,
    /// Weight of the questions from documentation beside the development tasks
    #[arg(long, value_name = "WEIGHT", value_parser = positive)]
    pub document_weight: Option<f64>,
    /// Doubt of labels by the models of locate and explore: 0 trusts every label, 1 doubts as much as the scores say
    #[arg(long, num_args = 2, value_names = ["LOCATE", "EXPLORE"], value_parser = not_negative)]
    pub doubt: Option<Vec<f64>>,
    /// Write no model
    #[arg(long, conflicts_with = "output")]
    pub only_report: bool,
}

/// The comment in a model file.
const HEADER: &str = "The ranking model: the contribution of a feature is linear between its knots \
                      and constant outside.\nMade by `knowing-eval fit`, tests/eval/TRAINING.md. Do not edit.";

/// Fits a model, writes it, and prints the measures that the arguments select.
///
/// # Errors
/// When a file of feature values can't be used, or the output can't be written.
pub fn run(session: &Session, arguments: &FitArguments) -> Result<Status, CliError> {
    let usage = |error: DataError| CliError::Usage(error.to_string());
    let files = arguments.files.iter().map(|path| Ok((path.display().to_string(), read(path)?)));
    let data = Data::new(files.collect::<Result<Vec<_>, CliError>>()?).map_err(usage)?;
    let trainer = Trainer::new(&data, settings(arguments)).map_err(usage)?;
    let fitted = trainer.fit();
    if let Some(path) = &arguments.output {
        let mut output = Replacement::create(path)?;
        output.write_all(fitted.model.to_toml(HEADER).as_bytes())?;
        output.finish()?;
    }
    let mut out = stdout();
    write_model(&mut out, &data, &trainer, &fitted)?;
    let count =
        if arguments.leave_one_out { Some(data.projects().len()) } else { arguments.folds.map(|it| it as usize) };
    if let Some(count) = count {
        let folds = folds(&data, count);
        for report in validate(&trainer, &fitted, &folds) {
            writeln!(out)?;
            write_suite(&mut out, session.colors.stdout, &report)?;
        }
        writeln!(
            out,
            "\neach project is measured with a model that was fitted without it; {}",
            text::count(folds.len(), "fold")
        )?;
    }
    if arguments.learning_curve {
        writeln!(out)?;
        let right = |heading| (heading, Align::Right);
        let mut table = Table::new(&[right("repositories"), right("strict R@10"), right("strict MRR")]);
        for point in learning_curve(&trainer, &fitted) {
            let [recall, reciprocal] = point.measures.map(|value| format!("{value:.3}"));
            table.row([&point.repositories.to_string(), &recall, &reciprocal]);
        }
        table.write(&mut out, session.colors.stdout)?;
    }
    out.flush()?;
    Ok(Status::Success)
}

/// Parses a positive number.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "it is not a positive number".to_owned())
}

/// Parses a number that is not negative.
fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "it is not a number from 0".to_owned())
}

fn settings(arguments: &FitArguments) -> Settings {
    let default = Settings::default();
    let prior = |given: &Option<Vec<f64>>, default: Prior| match given.as_deref() {
        Some(&[slope, deviation]) => Prior { slope, deviation },
        _ => default,
    };
    Settings {
        without: arguments.without.clone(),
        prior: prior(&arguments.prior, default.prior),
        explore_prior: prior(&arguments.explore_prior, default.explore_prior),
        explore_without: arguments.explore_without.clone().unwrap_or(default.explore_without),
        doubt: match arguments.doubt.as_deref() {
            Some(&[locate, explore]) => [locate, explore],
            _ => default.doubt,
        },
        document_weight: arguments.document_weight.unwrap_or(default.document_weight),
    }
}

fn read(path: &Path) -> Result<FeatureFile, CliError> {
    let file = File::open(path).map_err(|error| CliError::Usage(format!("can't read {}: {error}", path.display())))?;
    FeatureFile::read(file)
        .map_err(|error| CliError::Usage(format!("{} is not a file of feature values: {error}", path.display())))
}

/// Describes the model of each intent.
fn write_model(out: &mut impl Write, data: &Data, trainer: &Trainer, fitted: &Fitted) -> Result<(), CliError> {
    writeln!(out, "{}, {} features vary", text::count(data.samples.len(), "task"), trainer.features())?;
    for (index, intent) in [Intent::Locate, Intent::Explore].into_iter().enumerate() {
        let scale = trainer.scale(&fitted.model, intent);
        let levels = scale.levels.map(|level| format!("{level:.2}")).join(", ");
        writeln!(
            out,
            "{}: {} fitted, {} shapes, {} steps, gradient {:.0e}",
            intent.name(),
            text::count(fitted.tasks[index], "task"),
            fitted.model.shapes(intent).features.len(),
            fitted.steps[index],
            fitted.residuals[index],
        )?;
        writeln!(
            out,
            "  median score at rank 1, 10, 200: {levels}; negative: {:.0}% of the candidates, {:.1}% of the relevant ones; \
             relevant: {:.1} of 1,000 negative ones",
            100.0 * scale.negative,
            100.0 * scale.negative_relevant,
            1_000.0 * scale.relevant_of_negative,
        )?;
    }
    Ok(())
}

/// Writes a table with one row per project, language and mean. A cell has the measure before and after and the
/// difference with its interval.
fn write_suite(out: &mut impl Write, colored: bool, report: &SuiteReport) -> Result<(), CliError> {
    let metrics = report.suite.metrics();
    writeln!(out, "{}", styled(colored, BOLD, report.suite.name()))?;
    let mut columns = vec![("project", Align::Left), ("tasks", Align::Right)];
    columns.extend(metrics.iter().map(|name| (*name, Align::Left)));
    let mut table = Table::new(&columns);
    let mut row = |name: &str, line: &Line| {
        let cells = (0..metrics.len()).map(|metric| cell(line, metric));
        let all: Vec<String> = [name.to_owned(), line.tasks.to_string()].into_iter().chain(cells).collect();
        table.row_of(&all);
    };
    report.projects.iter().for_each(|line| row(&line.name, line));
    // Issues and development tasks are of one language, or have no files.
    if report.suite == Suite::Commits {
        report.languages.iter().for_each(|line| row(&line.name, line));
    }
    row("mean of projects", &report.mean_of_projects);
    row("mean of tasks", &report.mean_of_tasks);
    row("BM25F -> model", &report.beside_bm25f);
    table.write(out, colored)?;
    let cells = LOSSES.iter().enumerate().map(|(cause, name)| {
        let [before, after] = report.losses.map(|losses| losses[cause]);
        format!("{name} {before:.3} -> {after:.3}")
    });
    Ok(writeln!(out, "lost: {}", cells.collect::<Vec<String>>().join(", "))?)
}

fn cell(line: &Line, metric: usize) -> String {
    let change = &line.change;
    let [before, after, difference, low, high] =
        [change.before, change.after, change.difference, change.low, change.high].map(|values| values[metric]);
    format!("{before:.3} -> {after:.3}  {difference:+.3} [{low:+.3}, {high:+.3}]")
}
