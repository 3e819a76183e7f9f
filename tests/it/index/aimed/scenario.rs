//! Small repositories with choices in their texts.
//!
//! `= kind` begins a repository, `@ path` a file, `@? path` a file that may be missing. `«a¦b¦c»` is a choice, which
//! can contain others.

use crate::index::source::Dice;

/// The chosen alternative of each choice.
pub type Choices = Vec<usize>;

/// A repository.
pub struct Scenario {
    /// `language: kind`.
    pub kind: String,
    pub files: Vec<File>,
    /// Number of alternatives of each choice.
    sizes: Vec<usize>,
}

/// A file of a repository.
pub struct File {
    pub path: String,
    /// The choice whether the file exists, for those that may be missing.
    exists: Option<usize>,
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Choice(usize, Vec<Vec<Part>>),
}

impl File {
    /// Returns the file's text, if it exists.
    pub fn text(&self, choices: &Choices) -> Option<String> {
        if self.exists.is_some_and(|choice| choices[choice] == 0) {
            return None;
        }
        let mut text = String::new();
        push(&self.parts, choices, &mut text);
        Some(text)
    }
}

fn push(parts: &[Part], choices: &Choices, text: &mut String) {
    for part in parts {
        match part {
            Part::Text(own) => *text += own,
            Part::Choice(choice, alternatives) => push(&alternatives[choices[*choice]], choices, text),
        }
    }
}

impl Scenario {
    /// Returns a random alternative of each choice.
    pub fn any_choices(&self, dice: &mut Dice) -> Choices {
        self.sizes.iter().map(|size| dice.roll(*size as u64) as usize).collect()
    }

    /// Returns the choices with another alternative of one, so that some text differs.
    pub fn another(&self, dice: &mut Dice, choices: &Choices) -> Choices {
        loop {
            let mut other = choices.clone();
            let choice = dice.roll(self.sizes.len() as u64) as usize;
            other[choice] = dice.roll(self.sizes[choice] as u64) as usize;
            if self.files.iter().any(|file| file.text(choices) != file.text(&other)) {
                return other;
            }
        }
    }
}

/// Parses the repositories of a language.
pub fn parse(language: &str, text: &str) -> Vec<Scenario> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut source = String::new();
    let finish = |scenarios: &mut Vec<Scenario>, source: &mut String| {
        if let Some(scenario) = scenarios.last_mut()
            && let Some(file) = scenario.files.last_mut()
        {
            let mut rest = source.as_str();
            file.parts = parts(&mut rest, &mut scenario.sizes);
            assert!(rest.is_empty(), "{}: a choice ends that did not begin: {rest}", file.path);
        }
        source.clear();
    };
    for line in text.split_inclusive('\n') {
        if let Some(kind) = line.strip_prefix("= ") {
            finish(&mut scenarios, &mut source);
            let kind = format!("{language}: {}", kind.trim());
            scenarios.push(Scenario { kind, files: Vec::new(), sizes: Vec::new() });
        } else if let Some((is_optional, path)) =
            line.strip_prefix("@? ").map(|path| (true, path)).or(line.strip_prefix("@ ").map(|path| (false, path)))
        {
            finish(&mut scenarios, &mut source);
            let scenario = scenarios.last_mut().unwrap();
            let exists = is_optional.then(|| {
                scenario.sizes.push(2);
                scenario.sizes.len() - 1
            });
            scenario.files.push(File { path: path.trim().to_owned(), exists, parts: Vec::new() });
        } else {
            source += line;
        }
    }
    finish(&mut scenarios, &mut source);
    scenarios
}

/// Parses parts up to the end of the text or of the alternative.
fn parts(rest: &mut &str, sizes: &mut Vec<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    loop {
        let end = rest.find(['«', '¦', '»']).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        parts.push(Part::Text(text.to_owned()));
        *rest = after;
        let Some(inside) = rest.strip_prefix('«') else { return parts };
        *rest = inside;
        let mut alternatives = vec![self::parts(rest, sizes)];
        while let Some(after) = rest.strip_prefix('¦') {
            *rest = after;
            alternatives.push(self::parts(rest, sizes));
        }
        *rest = rest.strip_prefix('»').expect("a choice ends");
        sizes.push(alternatives.len());
        parts.push(Part::Choice(sizes.len() - 1, alternatives));
    }
}
