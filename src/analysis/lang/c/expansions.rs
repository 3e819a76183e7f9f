//! Names that macros make of their arguments and that other code defines, such as the handlers of a list of commands.
//!
//! A macro keeps a template of its text (`resolve/expansions.rs`), and each use that passes names is a reference of
//! its own. A file that others include between definitions of a macro (`commands.def`) consists of such uses.

use tree_sitter::Node;

use super::macros::is_name_of_macro;
use super::tokens::{Kind, Token, tokens};
use crate::facts::{
    ArgumentCount, BindingKind, DefId, Definition, Expr, ExprId, Import, ImportName, Parameter, Reference, Role,
};
use crate::lang::common::walker::{Call, Walker};
use crate::model::SymbolKind;

/// Maximum number of names and uses of macros in a template, and of uses in a file.
const MAX_PARTS: usize = 4096;

/// Records the names that the text of a macro makes of its parameters, and the macros that it uses.
pub fn record_template<'a>(walker: &mut Walker<'a>, id: DefId, parameters: Option<Node<'a>>, value: Node<'a>) {
    let names: Vec<&str> = parameters
        .map(|list| walker.children(list))
        .unwrap_or_default()
        .into_iter()
        .map(|name| walker.text_of(name))
        .collect();
    let text = walker.text_of(value);
    let list = tokens(text).list;
    let mut reader = Reader { text, tokens: &list, parameters: &names, parts: Vec::new() };
    reader.read(walker, 0, list.len());
    let parts = reader.parts;
    if parts.is_empty() {
        return;
    }
    let names: Vec<_> = names.iter().map(|name| walker.facts.atom(name)).collect();
    let template = walker.facts.expr(Expr::Tuple(parts));
    let definition = walker.facts.definition_mut(id);
    definition.parameters = names.into_iter().map(|name| Parameter::new(name, None, ArgumentCount::Any)).collect();
    definition.value = Some(template);
}

/// Adds the includes that have no tree, since they are in the middle of a list of values, to what they are in.
pub fn includes_without_tree(walker: &mut Walker<'_>) {
    let mut start = 0;
    for line in walker.text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
        let Some(path) = rest.trim_start().strip_prefix("include").map(str::trim) else { continue };
        let is_quoted = path.starts_with('"');
        let path = path.split(['"', '<', '>']).nth(1).unwrap_or_default();
        let range = at as u32..start as u32;
        if path.is_empty() || walker.facts.imports().iter().any(|import| range.contains(&import.position)) {
            continue;
        }
        // Elsewhere the line is in a comment, or in a branch that is not read.
        let covers = |definition: &Definition| {
            matches!(definition.kind, SymbolKind::Const | SymbolKind::Type | SymbolKind::Var)
                && definition.span.start_byte <= range.start
                && range.end <= definition.span.end_byte
        };
        let Some(around) = walker.facts.definitions().iter().rposition(covers) else { continue };
        let around = Some(DefId::from_index(around));
        let name = walker.facts.atom(&format!("#include {path}"));
        let path = [if is_quoted { "\"" } else { "<" }, path].map(|part| walker.facts.atom(part));
        let scope = walker.context.scope;
        let (name_of, level, reexport) = (ImportName::Module, 0, false);
        let import = Import { scope, path: path.to_vec(), level, name: name_of, position: range.start, reexport };
        let id = walker.facts.import(import);
        walker.facts.bind(scope, name, range.start, BindingKind::Import(id));
        let expr = walker.facts.expr(Expr::Name(name));
        walker.facts.refer(Reference { expr, scope, position: range.start, role: Role::Read, source: around });
    }
}

/// Adds references to the names in a list of values that has no tree, as a file has it which others include.
pub fn names_in_list(walker: &mut Walker<'_>) {
    let text = walker.text;
    let list = tokens(text).list;
    let mut depth = 0;
    for (number, token) in list.iter().enumerate().take(MAX_PARTS) {
        let word = &text[token.range()];
        match word {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        let is_call = list.get(number + 1).is_some_and(|next| &text[next.range()] == "(");
        let is_member = number > 0 && matches!(&text[list[number - 1].range()], "." | "->");
        if depth > 0
            && token.kind == Kind::Word
            && !is_call
            && !is_member
            && !walker.dialect.lexicon.keywords.contains(&word)
        {
            let expr = walker.facts.name(word);
            let (scope, source, position) = (walker.context.scope, None, token.start as u32);
            walker.facts.refer(Reference { expr, scope, position, role: Role::Read, source });
        }
    }
}

/// Adds the uses of macros in a range of a file's text that has no tree.
pub fn uses_in_text(walker: &mut Walker<'_>, start: usize, end: usize) {
    let text = walker.text.get(start..end).unwrap_or_default();
    let list = tokens(text).list;
    let mut reader = Reader { text, tokens: &list, parameters: &[], parts: Vec::new() };
    reader.read(walker, 0, list.len());
    for part in reader.parts {
        add_use(walker, part, start);
    }
}

fn add_use(walker: &mut Walker<'_>, used: ExprId, position: usize) {
    let expr = walker.facts.expr(Expr::Union(vec![used]));
    let (scope, source) = (walker.context.scope, walker.context.source);
    walker.facts.refer(Reference { expr, scope, position: position as u32, role: Role::Read, source });
}

/// Adds the use of a macro that looks like a call and passes a name.
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    let Some(name) = call.name.filter(|name| is_name_of_macro(walker.text_of(*name))) else { return };
    if walker.is_replay || !call.arguments.iter().any(|argument| argument.kind() == "identifier") {
        return;
    }
    let args = call.arguments.iter().map(|argument| match argument.kind() {
        "identifier" => walker.facts.name(walker.text.get(argument.byte_range()).unwrap_or_default()),
        _ => walker.unknown,
    });
    let args = args.collect();
    let used = walker.facts.expr(Expr::Call { callee: call.callee, args });
    add_use(walker, used, name.start_byte());
}

/// Reads the names of a text that has no tree.
struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    parameters: &'t [&'t str],
    parts: Vec<ExprId>,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range()])
    }

    /// Adds the names and uses between two tokens. In a list without parameters only uses are of interest.
    fn read(&mut self, walker: &mut Walker<'_>, mut at: usize, end: usize) {
        while at < end && self.parts.len() < MAX_PARTS {
            let Some((name, after)) = self.name(at, end) else {
                at += 1;
                continue;
            };
            let is_stringized = at > 0 && self.word(at - 1) == "#";
            at = after;
            let is_made = name.contains('#');
            if self.word(after) == "(" && after < end {
                let close = self.closing(after, end);
                let args = self.arguments(walker, after + 1, close);
                let passes_name = args.iter().any(|arg| *arg != walker.unknown);
                if passes_name && (is_made || is_name_of_macro(&name) || self.parameters.is_empty()) {
                    let callee = walker.facts.name(&name);
                    self.parts.push(walker.facts.expr(Expr::Call { callee, args }));
                }
                self.read_inside(walker, after + 1, close);
                at = close;
            }
            if is_made && !is_stringized {
                self.parts.push(walker.facts.name(&name));
            }
        }
    }

    fn read_inside(&mut self, walker: &mut Walker<'_>, start: usize, end: usize) {
        walker.descend((), |walker| self.read(walker, start, end));
    }

    /// Returns a name, of parts that are pasted together, in which `#1#` is the second parameter; and what follows it.
    fn name(&self, at: usize, end: usize) -> Option<(String, usize)> {
        let is_word = |at: usize| at < end && matches!(self.tokens[at].kind, Kind::Word | Kind::Number);
        if !is_word(at) || self.tokens[at].kind == Kind::Number {
            return None;
        }
        let part = |at: usize| match self.parameters.iter().position(|known| *known == self.word(at)) {
            Some(number) => format!("#{number}#"),
            None => self.word(at).to_owned(),
        };
        let (mut name, mut after) = (part(at), at + 1);
        while self.word(after) == "##" && is_word(after + 1) {
            name.push_str(&part(after + 1));
            after += 2;
        }
        Some((name, after))
    }

    /// Returns the place of the parenthesis that ends a list.
    fn closing(&self, open: usize, end: usize) -> usize {
        let mut depth = 0;
        for at in open..end {
            match self.word(at) {
                "(" => depth += 1,
                ")" if depth == 1 => return at,
                ")" => depth -= 1,
                _ => {}
            }
        }
        end
    }

    /// Returns the arguments between two tokens: names, and unknown ones for others.
    fn arguments(&self, walker: &mut Walker<'_>, start: usize, end: usize) -> Vec<ExprId> {
        let mut args = Vec::new();
        let (mut at, mut first, mut depth) = (start, start, 0);
        while at <= end {
            let word = if at == end { "," } else { self.word(at) };
            match word {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth -= 1,
                "," if depth == 0 => {
                    let name = self.name(first, at).filter(|(_, after)| *after == at);
                    args.push(name.map_or(walker.unknown, |(name, _)| walker.facts.name(&name)));
                    first = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        args
    }
}
