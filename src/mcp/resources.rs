//! The resources: the last pack, a person's pins, and the health of the index.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde_json::json;

use super::projects::Projects;
use super::served::ServedRepository;
use crate::engine::{Engine, files_without_grammar};
use crate::text::display::excerpt;

const PACK: &str = "knowing://pack";
const STEERING: &str = "knowing://steering";
const INDEX: &str = "knowing://index";

/// Returns the resources, always in the same order.
pub fn list() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, description: &str, mime: &str| {
        Resource::new(uri, name).with_description(description).with_mime_type(mime)
    };
    vec![
        resource(PACK, "pack", "The last pack of knowing_context, as a whole", "text/plain"),
        resource(
            STEERING,
            "steering",
            "The user's pins and drops for agents, and a pack to deliver",
            "application/json",
        ),
        resource(INDEX, "index", "Size and state of the index", "application/json"),
    ]
}

/// Reads a resource. `last_pack` is the text of the last answer.
///
/// # Errors
/// When there is no such resource, or it can't be read.
pub fn read(projects: &Projects, uri: &str, last_pack: Option<&str>) -> Result<ReadResourceResult, ErrorData> {
    let (text, mime) = match uri {
        PACK => (last_pack.unwrap_or("no pack yet; call knowing_context\n").to_owned(), "text/plain"),
        STEERING => (of_each(projects, steering)?, "application/json"),
        INDEX => (of_each(projects, |repository| Ok(index(&present(repository)?)))?, "application/json"),
        _ => {
            let message = format!("no such resource; there are {PACK}, {STEERING} and {INDEX}");
            return Err(ErrorData::resource_not_found(message, Some(json!({ "uri": excerpt(uri) }))));
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)]))
}

/// Returns the JSON of the only project, or an object with that of each by its root.
fn of_each(
    projects: &Projects,
    read: impl Fn(&ServedRepository) -> Result<String, ErrorData>,
) -> Result<String, ErrorData> {
    let all = projects.all();
    if let [only] = all.as_slice() {
        return read(only);
    }
    let mut of_each = Vec::new();
    for repository in all {
        let root = json!(repository.engine().root().display().to_string());
        of_each.push(format!("{root}:{}", read(&repository)?));
    }
    Ok(format!("{{{}}}", of_each.join(",")))
}

fn present(repository: &ServedRepository) -> Result<Engine, ErrorData> {
    repository.present().map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn steering(repository: &ServedRepository) -> Result<String, ErrorData> {
    present(repository)?;
    let failed = |error: crate::exchange::ExchangeError| ErrorData::internal_error(error.to_string(), None);
    let exchange = repository.exchange();
    let (steering, sent) = (exchange.steering().map_err(failed)?, exchange.sent().map_err(failed)?);
    Ok(json!({ "entries": steering.entries, "sent": sent, "branch": repository.engine().branch() }).to_string())
}

fn index(engine: &Engine) -> String {
    let health = match engine.reader().and_then(|reader| Ok((reader.stats()?, files_without_grammar(&reader)?))) {
        Ok((stats, without_grammar)) => json!({
            "state": "complete",
            "repository": engine.repository(),
            "files": stats.file_count(),
            "symbols": stats.symbol_count(),
            "edges": stats.edge_count(),
            "database_bytes": stats.database_bytes,
            "languages": stats.languages.iter().map(|(name, files, _)| json!({ "name": name, "files": files }))
                .collect::<Vec<_>>(),
            "without_grammar": without_grammar.iter()
                .map(|row| json!({ "extension": row.extension, "language": row.language, "files": row.files }))
                .collect::<Vec<_>>(),
            "skipped": stats.skips.iter().map(|(reason, count)| json!({ "reason": reason, "files": count }))
                .collect::<Vec<_>>(),
        }),
        Err(error) => json!({
            "state": "none",
            "repository": engine.repository(),
            "reason": error.to_string(),
            "next": "knowing_context builds the index",
        }),
    };
    health.to_string()
}
