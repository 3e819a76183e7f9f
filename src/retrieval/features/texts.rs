//! The texts of the features in explanations: a title for each, and a sentence about its value. No other file has such texts.

use crate::model::Component;
use crate::rank::tuning;

/// The text of one feature.
struct FeatureText {
    name: &'static str,
    /// At most [`MAX_TITLE`] columns wide.
    title: &'static str,
    /// A sentence with `{%}` for the value as a percentage, `{#}` for the rank behind a reciprocal rank, `{n}` for
    /// the number behind a share of [`tuning::PAST_OF_SYMBOL`].
    sentence: &'static str,
}

/// Columns of the widest title.
pub const MAX_TITLE: usize = 22;

macro_rules! texts {
    ($($name:literal: $title:literal, $sentence:literal;)*) => {
        /// The texts, in the order of the features.
        const TEXTS: &[FeatureText] = &[$(FeatureText { name: $name, title: $title, sentence: $sentence }),*];
    };
}

texts! {
    "repository": "its repository", "The task is about its repository with a probability of {%}.";
    "lexical": "words anywhere in it", "Its whole text scores {%} of the best possible match.";
    "coverage": "share of task's words", "It has {%} of the task's words, rare ones counting more.";
    "name": "words in its name", "Its name scores {%} of the best possible match.";
    "path": "words in its path", "Its file path scores {%} of the best possible match.";
    "scope": "words in its container", "Its container's name scores {%} of the best possible match.";
    "doc": "words in its comment", "Its doc comment scores {%} of the best possible match.";
    "body": "words in its body", "Its body scores {%} of the best possible match.";
    "lexical_share": "words beside the best", "By words it has {%} of the best score (tests count less).";
    "signature": "words in its signature", "Its signature scores {%} of the best possible match.";
    "lexical_rank": "rank by words", "By the task's words alone it would be #{#}.";
    "name_rank": "rank by name", "By the words of its name alone it would be #{#}.";
    "body_rank": "rank by body", "By the words of its body alone it would be #{#}.";
    "named": "name is in the task", "The task names it (confidence {%}).";
    "exact": "its exact name", "The task is its name, or names it alone in its first line.";
    "name_overlap": "name's words in task", "The task has {%} of the words of its name.";
    "scope_overlap": "container in the task", "The task has {%} of the words of its container's name.";
    "run": "words in this order", "Longest run of the task's words in its name: {%} of four.";
    "scoped_run": "order, with container", "Longest run in container and name: {%} of four words.";
    "scoped_overlap": "name and container", "The task has {%} of the words of container and name.";
    "subject": "words of first line", "By the task's first line it scores {%} of the best match.";
    "subject_coverage": "share of first line", "It has {%} of the words of the task's first line.";
    "subject_rank": "rank by first line", "By the task's first line alone it would be #{#}.";
    "name_length": "length of its name", "Words in its name: {%} of six.";
    "container": "its container matches", "Its container scores {%} of the best match.";
    "members": "number of members", "Types are weighted by members: {%} on a logarithmic scale.";
    "subtypes": "its subtypes match", "Its best subtypes score {%} of the best match.";
    "overriders": "its overrides match", "Its best overrides score {%} of the best match.";
    "users": "its users match", "The best five symbols that use it score {%} of the best.";
    "best_used": "what it uses matches", "A symbol that it uses scores {%} of the best match.";
    "best_user": "a user of it matches", "A symbol that uses it scores {%} of the best match.";
    "best_caller": "a caller matches", "A symbol that calls it scores {%} of the best match.";
    "tested_by": "its tests match", "Its best tests score {%} of the best match.";
    "local_use": "used by the matches", "The best matches use it: {%} on a logarithmic scale.";
    "popularity": "used everywhere", "Number of its users: {%} on a logarithmic scale.";
    "walk": "near in the graph", "Edges from the best matches lead to it: {%} of the maximum.";
    "authority": "used near the matches", "Symbols near the matches use it: {%} of the maximum.";
    "file": "its file matches", "Its whole file scores {%} of the best file.";
    "folder": "its folder matches", "Its whole folder scores {%} of the best folder.";
    "owner_text": "its type's members", "Its type with all members scores {%} of the best type.";
    "path_rarity": "rare words in its path", "Its path has {%} of the task's words that paths have.";
    "path_rarity_share": "path beside the best", "Its path scores {%} of the best candidate's path.";
    "file_matches": "matches in its file", "The best five in its file average {%} of the best match.";
    "best_sibling": "another match in file", "Another symbol of its file scores {%} of the best match.";
    "rank_in_file": "rank in its file", "1 / (1 + better matches in its file): {%}.";
    "rank_in_type": "rank in its type", "1 / (1 + better matches in its type): {%}.";
    "type_text": "whole type matches", "With its members this type scores {%} of the best type.";
    "history": "commits match", "Commits of its file have {%} of the task's words.";
    "cited": "a comment cites it", "A comment that cites it scores {%} of the best comment.";
    "past": "like past commits", "Past commits with similar messages changed it.";
    "past_commits": "past commits", "{n} past commits like this changed it.";
    "frame": "in the trace", "A frame of the trace: 1 / its rank from the innermost is {%}.";
    "frame_rare": "in the trace, rare", "1 / rank of its frame, less if much uses it: {%}.";
    "printed": "message of the task", "It prints a message of the task ({%}; less if others do).";
    "path_mention": "its file is named", "The task names its file (confidence {%}).";
    "tag": "tag is its file", "A tag in brackets has the name of its file ({%}).";
    "command": "runs the command", "It has the name of a command of the task ({%}).";
    "dotted": "qualified name", "The task has the end of its qualified name ({%}).";
    "area": "area of the subject", "The prefix of the first line names its file or folder ({%}).";
    "container_named": "its container is named", "The task names its container (confidence {%}).";
    "concept": "concept", "A concept of the task maps to it (confidence {%}).";
    "own_concept": "repository's concept", "A concept of .knowing/seeds maps to it ({%}).";
    "framework": "framework concept", "A concept of a framework maps to it (confidence {%}).";
    "feedback": "votes and use", "Votes and use in similar tasks ({%} of their maximum).";
    "learned": "learned terms", "Words of the task led to it before ({%} of their maximum).";
    "session": "recent use", "It was used a short time ago ({%} of the maximum).";
    "type": "is a type", "It is a type or an interface.";
    "method": "is a method", "It is a method.";
    "field": "is a field", "It is a field or a variable.";
    "const": "is a constant", "It is a constant.";
    "callable": "can be called", "It is a function, a method or a macro.";
    "special": "a usual name", "Many types have such a name: `new`, `init`, `__eq__`.";
    "documented": "it has a comment", "Length of its doc comment: {%} on a logarithmic scale.";
    "public": "part of the interface", "Use from elsewhere: 100% is public, 50% is not stated.";
    "interface": "is an interface", "It is an interface, a trait or a protocol.";
    "lines": "its length", "Lines of its definition: {%} on a logarithmic scale.";
    "uses": "symbols it uses", "Symbols that it uses: {%} on a logarithmic scale.";
    "changed": "changed", "100% with a changed line, less elsewhere in the file: {%}.";
    "base": "common start", "The same for every symbol; below 0 a symbol is not packed.";
    "example": "is in an example", "Its folder has examples, benchmarks, docs or migrations.";
    "test": "is a test", "It is a test, and the task is not about tests.";
    "location": "named location", "The task names its location ({%}; the first one has 100%).";
    "answer": "answer of the graph", "The graph answers the task with it, at rank {#}.";
}

/// The kind of what a symbol is, whatever the task.
const KIND_AND_SIZE: &str = "its kind and size";

/// The kinds of evidence, in the words of a reader, with their features. What is the same for every symbol is none.
const EVIDENCE: [(&str, &[&str]); 20] = [
    ("its repository", &["repository"]),
    ("the words in it", &["lexical", "coverage", "lexical_share", "lexical_rank"]),
    ("the words of its name", &["name", "name_rank", "name_overlap", "run", "name_length", "special"]),
    ("its name in the task", &["named", "exact", "dotted", "command", "container_named"]),
    (
        "the words of its container",
        &["scope", "scope_overlap", "scoped_run", "scoped_overlap", "container", "type_text", "owner_text", "members"],
    ),
    ("the words of its signature", &["signature"]),
    ("the words of its comment", &["doc"]),
    ("the words of its body", &["body", "body_rank"]),
    ("the words of the first line", &["subject", "subject_coverage", "subject_rank"]),
    ("its path", &["path", "path_rarity", "path_rarity_share", "path_mention", "tag", "area"]),
    ("the trace", &["frame", "frame_rare", "location"]),
    ("a message of the task", &["printed"]),
    (
        "its neighbors in the graph",
        &[
            "subtypes",
            "overriders",
            "users",
            "best_used",
            "best_user",
            "best_caller",
            "tested_by",
            "local_use",
            "popularity",
            "walk",
            "authority",
            "uses",
            "answer",
        ],
    ),
    ("the other code of its file", &["file", "folder", "file_matches", "best_sibling", "rank_in_file", "rank_in_type"]),
    ("comments about it", &["cited"]),
    ("past commits", &["history", "past", "past_commits"]),
    ("a concept", &["concept", "own_concept", "framework"]),
    ("votes and use", &["feedback", "learned", "session"]),
    (
        KIND_AND_SIZE,
        &[
            "type",
            "method",
            "field",
            "const",
            "callable",
            "documented",
            "public",
            "interface",
            "lines",
            "example",
            "test",
        ],
    ),
    ("the change", &["changed"]),
];

/// Returns the kind of evidence that a component is, in the words of a reader; `None` for what is the same for every
/// symbol, and so never moves one.
pub fn evidence(component: &str) -> Option<&'static str> {
    EVIDENCE.iter().find(|(_, names)| names.contains(&component)).map(|(title, _)| *title)
}

/// Returns whether a component is evidence about the task, and not about the symbol alone.
pub fn is_about_task(component: &str) -> bool {
    evidence(component).is_some_and(|kind| kind != KIND_AND_SIZE)
}

/// Returns the title of a component of a score.
pub fn component_title(name: &str) -> &str {
    TEXTS.iter().find(|text| text.name == name).map_or(name, |text| text.title)
}

/// Returns the sentence about a component's value; empty for an unknown component.
pub fn component_sentence(component: &Component) -> String {
    let Some(text) = TEXTS.iter().find(|text| text.name == component.name) else { return String::new() };
    let percent = match component.value.abs() * 100.0 {
        small if small > 0.0 && small < 1.0 => "less than 1%".to_owned(),
        percent => format!("{percent:.0}%"),
    };
    // A reciprocal rank is k / (k + rank) with ranks from 0.
    let rank = tuning::RECIPROCAL_RANK_K / component.value.max(f64::EPSILON) - tuning::RECIPROCAL_RANK_K + 1.0;
    let commits = component.value * tuning::PAST_OF_SYMBOL as f64;
    let sentence = text.sentence.replace("{n}", &format!("{commits:.0}"));
    sentence.replace("{%}", &percent).replace("{#}", &format!("{rank:.0}"))
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::features::FEATURE_GROUPS;

    /// Columns of a sentence before its value is filled in, so that it fits beside its bar at 120 columns.
    const MAX_SENTENCE: usize = 62;

    #[test]
    fn every_feature_has_a_title_and_a_sentence() {
        for name in FEATURE_GROUPS.iter().flat_map(|group| group.names).chain(&["base"]) {
            assert!(
                TEXTS.iter().any(|text| text.name == *name),
                "{name} has no text in src/retrieval/features/texts.rs"
            );
        }
        for (index, text) in TEXTS.iter().enumerate() {
            assert!(text.title.width() <= MAX_TITLE, "{}", text.title);
            assert!(text.sentence.ends_with('.') && text.sentence.len() <= MAX_SENTENCE, "{}", text.sentence);
            assert!(TEXTS[index + 1..].iter().all(|other| other.title != text.title && other.name != text.name));
        }
    }

    #[test]
    fn every_feature_is_evidence_of_one_kind_but_for_the_common_start() {
        for text in TEXTS.iter().filter(|text| text.name != "base") {
            let kinds = EVIDENCE.iter().filter(|(_, names)| names.contains(&text.name)).count();
            assert_eq!(kinds, 1, "{}", text.name);
        }
        assert_eq!((evidence("base"), evidence("frame")), (None, Some("the trace")));
    }

    #[test]
    fn sentences_state_the_value() {
        let sentence = |name, value| component_sentence(&Component { name, value, contribution: value });
        assert_eq!(sentence("coverage", 0.625), "It has 62% of the task's words, rare ones counting more.");
        assert!(sentence("coverage", 0.001).contains("less than 1%"));
        for (value, rank) in [(1.0, "#1."), (5.0 / 6.0, "#2."), (5.0 / 14.0, "#10.")] {
            assert!(sentence("body_rank", value).contains(rank), "{}", sentence("body_rank", value));
        }
        assert_eq!(sentence("past_commits", 0.4), "2 past commits like this changed it.");
        assert_eq!((component_title("body_rank"), component_title("unknown")), ("rank by body", "unknown"));
        assert_eq!(sentence("unknown", 1.0), "");
    }
}
