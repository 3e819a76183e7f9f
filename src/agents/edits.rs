//! Edits of configuration files by format: JSON with comments, TOML, Markdown. Each has its removal, which does not need
//! the record and keeps everything else.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::profile::Entry;

/// The placeholder of the program in the values of a profile.
const COMMAND: &str = "{command}";

/// The name of the program.
const PROGRAM: &str = "knowing";

/// Some editors begin a file with it; it is kept.
const BYTE_ORDER_MARK: char = '\u{feff}';

const BEGIN: &str = "knowing:begin";
const END: &str = "knowing:end";

/// The result of an edit.
#[derive(Debug, PartialEq, Eq)]
pub enum Edited {
    /// The file's new text.
    Text(String),
    /// It is there already.
    Unchanged,
    /// The key has another value, which is kept.
    Conflict,
}

/// A file's text from which an edit was taken back.
#[derive(Debug, PartialEq, Eq)]
pub struct Removal {
    pub text: String,
    /// Whether something is left that is not an edit of this program, in the place of one: the user has written or changed it.
    pub keeps: bool,
}

/// Returns the section for files of instructions.
pub fn markdown_block() -> String {
    let text = include_str!("../../seeds/agents/instructions.md").trim_end();
    format!("<!-- {BEGIN} -->\n{text}\n<!-- {END} -->\n")
}

/// Returns a file's text with a section at its end, after an empty line. A section that exists is replaced in place; what
/// the user wrote into it follows it.
pub fn with_block(text: &str, block: &str) -> Edited {
    if let Some((start, end)) = block_range(text) {
        if text[start..end].trim_end() == block.trim_end() {
            return Edited::Unchanged;
        }
        let kept = lines_besides(&text[start..end], block);
        return Edited::Text(format!("{}{block}{kept}{}", &text[..start], &text[end..]));
    }
    let gap = match text {
        "" => "",
        text if text.ends_with("\n\n") => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Edited::Text(format!("{text}{gap}{block}"))
}

/// Returns a file's text without the section and the empty line before it, but with the lines that the user wrote into
/// it; `None` if there is no section.
pub fn without_block(text: &str) -> Option<Removal> {
    let (start, end) = block_range(text)?;
    let kept = lines_besides(&text[start..end], &markdown_block());
    Some(without_range(text, start, end, &kept))
}

/// Returns the lines of an edited section that are not in the original one, without empty lines around them.
fn lines_besides(section: &str, block: &str) -> String {
    let is_ours = |line: &str| block.lines().any(|ours| ours.trim_end() == line.trim_end());
    let kept: Vec<&str> = section.lines().filter(|line| !is_ours(line) && !is_any_marker(line)).collect();
    let is_text = |line: &&str| !line.trim().is_empty();
    match (kept.iter().position(is_text), kept.iter().rposition(is_text)) {
        (Some(first), Some(last)) => kept[first..=last].iter().map(|line| format!("{line}\n")).collect(),
        _ => String::new(),
    }
}

/// Returns a text in which a section is replaced by what is kept of it.
fn without_range(text: &str, start: usize, end: usize, kept: &str) -> Removal {
    let (head, tail) = (&text[..start], &text[end..]);
    let is_gap = kept.is_empty() && head.ends_with("\n\n") && (tail.is_empty() || tail.starts_with('\n'));
    let head = if is_gap { &head[..head.len() - 1] } else { head };
    Removal { text: format!("{head}{kept}{tail}"), keeps: !kept.is_empty() }
}

fn is_marker(line: &str, marker: &str) -> bool {
    let line = line.trim();
    line == format!("<!-- {marker} -->") || line == format!("# {marker}")
}

fn is_any_marker(line: &str) -> bool {
    is_marker(line, BEGIN) || is_marker(line, END)
}

/// Returns the range of the section: from the last begin marker before the first end marker, each a line of its own.
fn block_range(text: &str) -> Option<(usize, usize)> {
    let (mut start, mut at) = (None, 0);
    for line in text.split_inclusive('\n') {
        if is_marker(line, BEGIN) {
            start = Some(at);
        }
        at += line.len();
        if let (Some(start), true) = (start, is_marker(line, END)) {
            return Some((start, at));
        }
    }
    None
}

/// Sets an entry in a TOML or JSON file, by its extension. With `append` the entry is an element of the array.
///
/// # Errors
/// When the file can't be parsed.
pub fn with_entry(path: &Path, text: &str, entry: &Entry, command: &str, append: bool) -> Result<Edited, String> {
    if is_toml(path) {
        return with_toml(text, entry, command);
    }
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        return Ok(match with_entry(path, rest, entry, command, append)? {
            Edited::Text(new) => Edited::Text(format!("{BYTE_ORDER_MARK}{new}")),
            edited => edited,
        });
    }
    let root = parse_json(text)?;
    let value = json(&entry.value, command);
    let Some(top) = root.object_value_or_create() else { return Err("its top level is not an object".to_owned()) };
    let Some((last, parents)) = entry.at.split_last() else { return Ok(Edited::Unchanged) };
    let mut object = top;
    for key in parents {
        object = object.object_value_or_create(key).ok_or_else(|| format!("`{key}` in it is not an object"))?;
    }
    if append {
        let array = object.array_value_or_create(last).ok_or_else(|| format!("`{last}` in it is not an array"))?;
        if array.elements().iter().any(|element| element.to_serde_value().as_ref() == Some(&value)) {
            return Ok(Edited::Unchanged);
        }
        if array
            .elements()
            .iter()
            .any(|element| element.to_serde_value().is_some_and(|value| runs_same(&entry.value, &value)))
        {
            return Ok(Edited::Conflict);
        }
        array.append(input(&value));
    } else {
        match object.get(last).map(|property| property.to_serde_value()) {
            Some(present) if present.as_ref() == Some(&value) => return Ok(Edited::Unchanged),
            Some(_) => return Ok(Edited::Conflict),
            None => object.append(last, input(&value)),
        };
    }
    let mut new = root.to_string();
    // A last line break of its own would make the whole rest of the file part of the reversal.
    if text.is_empty() && !new.ends_with('\n') {
        new.push('\n');
    }
    Ok(Edited::Text(new))
}

/// Returns a file's text without an entry that [`with_entry`] set, for any path of the program, and without objects and
/// arrays that become empty; `None` if it is not there. An entry that was changed since is kept.
///
/// # Errors
/// When the file can't be parsed.
pub fn without_entry(path: &Path, text: &str, entry: &Entry, append: bool) -> Result<Option<Removal>, String> {
    if is_toml(path) {
        return Ok(without_toml(text, entry));
    }
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        let removal = without_entry(path, rest, entry, append)?;
        return Ok(removal.map(|removal| Removal { text: format!("{BYTE_ORDER_MARK}{}", removal.text), ..removal }));
    }
    let root = parse_json(text)?;
    let mut objects: Vec<CstObject> = root.object_value().into_iter().collect();
    let Some((last, parents)) = entry.at.split_last() else { return Ok(None) };
    for key in parents {
        let Some(inner) = objects.last().and_then(|object| object.object_value(key)) else { return Ok(None) };
        objects.push(inner);
    }
    let Some(property) = objects.last().and_then(|object| object.get(last)) else { return Ok(None) };
    let is_ours = |value: Option<Value>| value.is_some_and(|value| matches(&entry.value, &value));
    let mut keeps = false;
    if append {
        let Some(array) = property.array_value() else { return Ok(None) };
        let ours: Vec<_> = array.elements().into_iter().filter(|element| is_ours(element.to_serde_value())).collect();
        let is_edited = |value: Value| !matches(&entry.value, &value) && runs_same(&entry.value, &value);
        keeps = array.elements().iter().any(|element| element.to_serde_value().is_some_and(is_edited));
        if ours.is_empty() {
            return Ok(keeps.then(|| Removal { text: text.to_owned(), keeps }));
        }
        ours.into_iter().for_each(|element| element.remove());
        if array.elements().is_empty() {
            property.remove();
        }
    } else {
        if !is_ours(property.value().and_then(|value| value.to_serde_value())) {
            return Ok(Some(Removal { text: text.to_owned(), keeps: true }));
        }
        property.remove();
    }
    for (object, key) in objects.iter().zip(parents).rev() {
        if let Some(property) = object.get(key)
            && property.object_value().is_some_and(|inner| inner.properties().is_empty())
        {
            property.remove();
        }
    }
    Ok(Some(Removal { text: root.to_string(), keeps }))
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

fn parse_json(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

/// Removes a section of TOML, but keeps comments, tables that another program has put into it, and its own table if the
/// user changed that.
fn without_toml(text: &str, entry: &Entry) -> Option<Removal> {
    let (start, end) = block_range(text)?;
    let lines: Vec<&str> = text[start..end].split_inclusive('\n').filter(|line| !is_any_marker(line)).collect();
    let own_table = format!("[{}", entry.at.join("."));
    // A line before the first table belongs to whatever is above the section.
    let mut is_own = false;
    let is_own: Vec<bool> = (lines.iter())
        .map(|line| {
            if line.starts_with('[') {
                is_own = line.strip_prefix(&own_table).is_some_and(|rest| rest.starts_with(['.', ']']));
            }
            is_own && !line.trim_start().starts_with('#')
        })
        .collect();
    let own: String = lines.iter().zip(&is_own).filter(|(_, own)| **own).map(|(line, _)| *line).collect();
    let table: Option<toml::Value> = own.parse().ok().map(toml::Value::Table);
    let value = table.as_ref().and_then(|table| entry.at.iter().try_fold(table, |value, key| value.get(key)));
    let value = value.and_then(|value| serde_json::to_value(value).ok());
    // A section without its table has nothing of this program but the markers.
    let is_unchanged = own.trim().is_empty() || value.is_some_and(|value| matches(&entry.value, &value));
    let kept = lines.iter().zip(is_own).filter(|(_, own)| !(is_unchanged && *own)).map(|(line, _)| *line);
    let kept: String = kept.collect();
    Some(without_range(text, start, end, if kept.trim().is_empty() { "" } else { &kept }))
}

/// Sets an entry as a section of TOML at the end of the file.
fn with_toml(text: &str, entry: &Entry, command: &str) -> Result<Edited, String> {
    let without = without_toml(text, entry).map_or_else(|| text.to_owned(), |removal| removal.text);
    let table: toml::Table = without.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let table = toml::Value::Table(table);
    if entry.at.iter().try_fold(&table, |value, key| value.get(key)).is_some() {
        return Ok(Edited::Conflict);
    }
    let mut value = toml_value(&entry.value, command);
    for key in entry.at.iter().rev() {
        value = toml::Value::Table(toml::Table::from_iter([(key.clone(), value)]));
    }
    let body = toml::to_string(&value).map_err(|error| error.to_string())?;
    let block = format!("# {BEGIN}\n{body}# {END}\n");
    if with_block(text, &block) == Edited::Unchanged {
        return Ok(Edited::Unchanged);
    }
    let edited = with_block(&without, &block);
    if let Edited::Text(new) = &edited
        && new.parse::<toml::Table>().is_err()
    {
        return Err(format!("`{}` in it is not a table of its own; add the entry by hand", entry.at.join(".")));
    }
    Ok(edited)
}

/// Puts the program into a text. Within a longer text, which a shell reads, it is quoted where that is necessary.
fn with_command(text: &str, command: &str) -> String {
    match shlex::try_quote(command) {
        Ok(quoted) if text != COMMAND => text.replace(COMMAND, &quoted),
        _ => text.replace(COMMAND, command),
    }
}

fn toml_value(value: &toml::Value, command: &str) -> toml::Value {
    match value {
        toml::Value::String(text) => toml::Value::String(with_command(text, command)),
        toml::Value::Array(items) => toml::Value::Array(items.iter().map(|item| toml_value(item, command)).collect()),
        toml::Value::Table(table) => {
            toml::Value::Table(table.iter().map(|(key, value)| (key.clone(), toml_value(value, command))).collect())
        }
        other => other.clone(),
    }
}

fn json(value: &toml::Value, command: &str) -> Value {
    match value {
        toml::Value::String(text) => Value::String(with_command(text, command)),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) => Value::from(*number),
        toml::Value::Boolean(truth) => Value::Bool(*truth),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(items) => items.iter().map(|item| json(item, command)).collect(),
        toml::Value::Table(table) => table
            .iter()
            .map(|(key, value)| (key.clone(), json(value, command)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

/// Returns whether `value` is `pattern` with some path of the program for [`COMMAND`].
fn matches(pattern: &toml::Value, value: &Value) -> bool {
    match (pattern, value) {
        (toml::Value::String(pattern), Value::String(text)) => match pattern.split_once(COMMAND) {
            Some((before, after)) => {
                text.strip_prefix(before).is_some_and(|rest| rest.strip_suffix(after).is_some_and(is_program))
            }
            None => pattern == text,
        },
        (toml::Value::Array(patterns), Value::Array(values)) => {
            patterns.len() == values.len()
                && patterns.iter().zip(values).all(|(pattern, value)| matches(pattern, value))
        }
        (toml::Value::Table(patterns), Value::Object(values)) => {
            patterns.len() == values.len()
                && patterns.iter().all(|(key, pattern)| values.get(key).is_some_and(|value| matches(pattern, value)))
        }
        (pattern, value) => json(pattern, COMMAND) == *value,
    }
}

/// Returns whether a value runs a command of `pattern`, whatever else the user changed in it.
fn runs_same(pattern: &toml::Value, value: &Value) -> bool {
    let (mut wanted, mut found) = (Vec::new(), Vec::new());
    let pattern = json(pattern, PROGRAM);
    commands_of(&pattern, &mut wanted);
    commands_of(value, &mut found);
    let arguments =
        wanted.iter().filter_map(|command| command.split_once(PROGRAM)).map(|(_, arguments)| arguments.trim());
    arguments.filter(|arguments| !arguments.is_empty()).any(|arguments| {
        found.iter().any(|command| command.split_once(arguments).is_some_and(|(before, _)| before.contains(PROGRAM)))
    })
}

/// Adds the texts in a value.
fn commands_of<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| commands_of(item, found)),
        Value::Object(members) => members.values().for_each(|item| commands_of(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_program(text: &str) -> bool {
    Path::new(text.trim_matches(['"', '\''])).file_stem().is_some_and(|name| name == "knowing")
}
