//! The keymap: a trie of key sequences for each context, from the registry and the user's settings.

use std::collections::HashMap;

use thiserror::Error;

use super::command::{self, Command, CommandError, CommandSpec, Context, commands};
use super::key::Key;
use crate::config::{ConfigError, FILE_NAME, Rebinding};

/// Why a binding of the user is invalid.
#[derive(Debug, Error)]
enum RebindError {
    #[error("unknown context `{context}`; there are {}", context_names())]
    UnknownContext { context: String },
    #[error("`{0}` is not a key: write x, C-x, A-Enter, F1, or several separated by spaces")]
    NoKeys(String),
    #[error("`{keys}`: terminals send {key} as another key")]
    NeverSent { keys: String, key: Key },
    #[error("`{keys}` is not bound in {context}")]
    NotBound { keys: String, context: &'static str },
    #[error("`{keys}` and `{other}` can't both be bound: one is a prefix of the other")]
    Prefix { keys: String, other: String },
    #[error(transparent)]
    Command(#[from] CommandError),
}

fn context_names() -> String {
    Context::all().iter().map(|context| context.id()).collect::<Vec<_>>().join(", ")
}

/// Every binding, by context.
#[derive(Debug, Clone, Default)]
pub struct Keymap {
    contexts: HashMap<Context, Node>,
}

/// A node of the trie. Keys keep the order of the registry, most used first.
#[derive(Debug, Clone, Default)]
struct Node {
    bound: Option<Bound>,
    next: Vec<(Key, Node)>,
}

/// A command and its argument, which only user bindings have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    pub command: Command,
    pub argument: String,
}

/// The meaning of the keys pressed so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution<'map> {
    Run(&'map Bound),
    /// The keys start a longer sequence.
    Prefix,
    Nothing,
}

/// A binding as help and README list it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub context: Context,
    pub keys: Vec<Key>,
    pub bound: Bound,
}

impl Keymap {
    /// Returns the keymap with the default keys.
    pub fn new() -> Keymap {
        let mut keymap = Keymap::default();
        for spec in commands() {
            for (context, keys) in spec.bindings {
                if let Some(keys) = Key::sequence(keys) {
                    let bound = Bound { command: spec.command, argument: String::new() };
                    keymap.contexts.entry(*context).or_default().bind(&keys, Some(bound));
                }
            }
        }
        keymap
    }

    /// Adds and removes the user's bindings. Invalid ones are skipped and reported.
    pub fn with(mut self, rebindings: &[Rebinding]) -> (Keymap, Vec<ConfigError>) {
        let mut config_errors = Vec::new();
        // Removals come first, so that a freed key can be bound in any order of the file.
        let (added, removed): (Vec<_>, Vec<_>) = rebindings.iter().partition(|rebinding| !rebinding.command.is_empty());
        for rebinding in removed.into_iter().chain(added) {
            if let Err(error) = self.rebind(rebinding) {
                config_errors.push(ConfigError::at(FILE_NAME, rebinding.line, &error.to_string()));
            }
        }
        config_errors.sort_by_key(|config_error| config_error.line);
        (self, config_errors)
    }

    fn rebind(&mut self, rebinding: &Rebinding) -> Result<(), RebindError> {
        let context = Context::named(&rebinding.context)
            .ok_or_else(|| RebindError::UnknownContext { context: rebinding.context.clone() })?;
        let sequence = Key::sequence(&rebinding.keys).ok_or_else(|| RebindError::NoKeys(rebinding.keys.clone()))?;
        let keys = written(&sequence);
        if let Some(key) = sequence.iter().find(|key| !key.can_be_sent()) {
            return Err(RebindError::NeverSent { keys, key: *key });
        }
        let root = self.contexts.entry(context).or_default();
        if rebinding.command.is_empty() {
            return match root.bind(&sequence, None) {
                true => Ok(()),
                false => Err(RebindError::NotBound { keys, context: context.id() }),
            };
        }
        if let Some(other) = root.clash(&sequence) {
            return Err(RebindError::Prefix { keys, other: written(&other) });
        }
        let (command, argument) = command::parse(&rebinding.command)?;
        root.bind(&sequence, Some(Bound { command, argument: argument.to_owned() }));
        Ok(())
    }

    /// Resolves `keys` in the first of these contexts that binds them.
    pub fn resolve(&self, contexts: &[Context], keys: &[Key]) -> Resolution<'_> {
        for node in contexts.iter().filter_map(|context| self.contexts.get(context)?.at(keys)) {
            match &node.bound {
                Some(bound) => return Resolution::Run(bound),
                None if !node.next.is_empty() => return Resolution::Prefix,
                None => {}
            }
        }
        Resolution::Nothing
    }

    /// Returns the keys that may follow `keys`, each once and with its label, nearest context first.
    pub fn continuations(&self, contexts: &[Context], keys: &[Key]) -> Vec<(Key, String)> {
        let mut found: Vec<(Key, String)> = Vec::new();
        for node in contexts.iter().filter_map(|context| self.contexts.get(context)?.at(keys)) {
            for (key, next) in &node.next {
                let words = next.bound.as_ref().map_or_else(|| "…".to_owned(), Bound::label);
                // Of two keys for one command the second is for the fingers.
                let is_alias = |known: &String| next.bound.is_some() && *known == words;
                let is_known = found.iter().any(|(known, of_known)| known == key || is_alias(of_known));
                if !is_known && !next.is_empty() {
                    found.push((*key, words));
                }
            }
        }
        found
    }

    /// Returns the keys that run a command without argument in a context, as shown on the screen, most used first.
    pub fn keys_of(&self, context: Context, command: Command) -> Vec<String> {
        let of_context = self.bindings(context).into_iter();
        let own = of_context.filter(|listed| listed.bound.command == command && listed.bound.argument.is_empty());
        own.map(|listed| shown(&listed.keys)).collect()
    }

    /// Returns the most used of them, or nothing.
    pub fn key_of(&self, context: Context, command: Command) -> String {
        self.keys_of(context, command).into_iter().next().unwrap_or_default()
    }

    /// Returns every binding of a context.
    pub fn bindings(&self, context: Context) -> Vec<Listed> {
        let mut listed = Vec::new();
        if let Some(root) = self.contexts.get(&context) {
            root.collect(&mut Vec::new(), &mut |keys, bound| {
                listed.push(Listed { context, keys: keys.to_vec(), bound: bound.clone() });
            });
        }
        listed
    }
}

impl Bound {
    /// Returns the command's title, or its name with the argument.
    pub fn label(&self) -> String {
        match self.argument.as_str() {
            "" => self.spec().title.to_owned(),
            argument => format!("{} {argument}", self.spec().name),
        }
    }

    /// Returns the command's row in the registry.
    pub fn spec(&self) -> &'static CommandSpec {
        self.command.spec()
    }
}

/// Formats keys as in the settings: `g c`.
pub fn written(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

/// Formats keys for the screen: `gc`, but `f Enter`.
pub fn shown(keys: &[Key]) -> String {
    let is_letter = |key: &Key| key.to_string().chars().count() == 1;
    written(keys).replace(' ', if keys.iter().all(is_letter) { "" } else { " " })
}

impl Node {
    fn at(&self, keys: &[Key]) -> Option<&Node> {
        let Some((first, rest)) = keys.split_first() else { return Some(self) };
        self.next.iter().find(|(key, _)| key == first)?.1.at(rest)
    }

    /// Binds the keys, or unbinds them. Returns whether anything changed.
    fn bind(&mut self, keys: &[Key], bound: Option<Bound>) -> bool {
        let Some((first, rest)) = keys.split_first() else {
            let changed = self.bound.is_some() || bound.is_some();
            self.bound = bound;
            return changed;
        };
        let index = match self.next.iter().position(|(key, _)| key == first) {
            Some(index) => index,
            None if bound.is_none() => return false,
            None => {
                self.next.push((*first, Node::default()));
                self.next.len() - 1
            }
        };
        let changed = self.next[index].1.bind(rest, bound);
        if self.next[index].1.is_empty() {
            self.next.remove(index);
        }
        changed
    }

    fn is_empty(&self) -> bool {
        self.bound.is_none() && self.next.is_empty()
    }

    /// Returns another bound sequence that is a prefix of `keys`, or has them as prefix.
    fn clash(&self, keys: &[Key]) -> Option<Vec<Key>> {
        for length in 1..keys.len() {
            if self.at(&keys[..length]).is_some_and(|node| node.bound.is_some()) {
                return Some(keys[..length].to_vec());
            }
        }
        let (key, longer) = self.at(keys)?.next.first()?;
        let mut found = [keys, &[*key]].concat();
        let mut node = longer;
        while let (None, Some((key, next))) = (&node.bound, node.next.first()) {
            found.push(*key);
            node = next;
        }
        Some(found)
    }

    fn collect(&self, keys: &mut Vec<Key>, found: &mut dyn FnMut(&[Key], &Bound)) {
        if let Some(bound) = &self.bound {
            found(keys, bound);
        }
        for (key, next) in &self.next {
            keys.push(*key);
            next.collect(keys, found);
            keys.pop();
        }
    }
}

#[cfg(test)]
mod tests;
