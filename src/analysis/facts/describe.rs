//! The facts of a file as text, for people who look for the reason of an edge.

use super::{Atom, Binding, BindingKind, Code, Expr, ExprId, ImportName, Outline, Reference, Role};

/// Depth of an expression below which it is cut.
const MAX_DEPTH: usize = 12;

/// The facts of a file, and where its lines begin.
pub struct Description<'a> {
    pub outline: &'a Outline,
    pub code: &'a Code,
    /// Returns the line of a byte, from 1.
    pub line_of: &'a dyn Fn(u32) -> u32,
}

impl Description<'_> {
    /// Returns all facts: definitions, imports, bindings, references, and the lines that were not parsed.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.push(
            &mut text,
            "definitions",
            self.outline.definitions.iter().map(|definition| {
                let span = definition.span;
                let bases: Vec<String> = definition.bases.iter().map(|base| self.expression(base.expr)).collect();
                let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
                let value = definition.value.map(|value| format!(" = {}", self.expression(value))).unwrap_or_default();
                let value_type = definition.value_type.or(definition.result);
                let value_type = value_type.map(|ty| format!(" -> {}", self.expression(ty))).unwrap_or_default();
                let name = self.qualified(&definition.scope_names, definition.name);
                let kind = definition.kind.name();
                format!("{}-{}  {kind} {name}{bases}{value_type}{value}", span.start_line, span.end_line)
            }),
        );
        self.push(
            &mut text,
            "imports",
            self.outline.imports.iter().map(|import| {
                let path: Vec<&str> = import.path.iter().map(|part| self.name(*part)).collect();
                let dots = ".".repeat(usize::from(import.level));
                let name = match import.name {
                    ImportName::Module => String::new(),
                    ImportName::Named(name) => format!(" name {}", self.name(name)),
                    ImportName::All => " all names".to_owned(),
                    ImportName::Default => " default".to_owned(),
                };
                let again = if import.reexport { ", exported again" } else { "" };
                format!("{}  {dots}{}{name}{again}", (self.line_of)(import.position), path.join("."))
            }),
        );
        let bindings = self.outline.bindings.iter().chain(&self.code.bindings);
        self.push(&mut text, "names in scopes", bindings.filter_map(|binding| self.binding(binding)));
        self.push(&mut text, "references", self.code.references.iter().map(|reference| self.reference(reference)));
        let runs = self.outline.unparsed.iter();
        self.push(&mut text, "lines not parsed", runs.map(|(first, last)| format!("{first}-{last}")));
        text
    }

    /// Returns line, role, expression and source of a reference.
    pub fn reference(&self, reference: &Reference) -> String {
        let role = match reference.role {
            Role::Call => "call",
            Role::Type => "type",
            Role::Read => "read",
            Role::Write => "write",
            Role::Decorator => "decorator",
            Role::Raise => "raise",
            Role::Implement => "implement",
            Role::Document => "document",
            Role::Fixture => "fixture",
        };
        let source = reference.source.and_then(|id| self.outline.definitions.get(id.index()));
        let source = source.map_or_else(
            || "the file".to_owned(),
            |definition| self.qualified(&definition.scope_names, definition.name),
        );
        let line = (self.line_of)(reference.position);
        format!("{line}  {role} {}  by {source}", self.expression(reference.expr))
    }

    /// Returns an expression as extraction understood it. `?` has no representation.
    pub fn expression(&self, id: ExprId) -> String {
        let mut text = String::new();
        self.push_expression(&mut text, id, 0);
        text
    }

    fn push(&self, text: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
        let mut lines = lines.peekable();
        if lines.peek().is_some() {
            text.push_str(heading);
            text.push('\n');
            lines.for_each(|line| text.extend(["  ", &line, "\n"]));
        }
    }

    fn binding(&self, binding: &Binding) -> Option<String> {
        let values = |value_type: Option<ExprId>, value: Option<ExprId>| {
            let ty = value_type.map(|ty| format!(": {}", self.expression(ty))).unwrap_or_default();
            ty + &value.map(|value| format!(" = {}", self.expression(value))).unwrap_or_default()
        };
        let text = match binding.kind {
            BindingKind::Local { value_type, value } => format!("local{}", values(value_type, value)),
            BindingKind::Parameter { value_type, value } => format!("parameter{}", values(value_type, value)),
            BindingKind::Alias(expr) => format!("another name of {}", self.expression(expr)),
            BindingKind::Import(_) => "imported".to_owned(),
            // Those are listed as definitions.
            BindingKind::Definition(_) | BindingKind::TypeParameter(..) | BindingKind::ExtensionParameter(..) => {
                return None;
            }
        };
        let line = (self.line_of)(binding.position);
        Some(format!("{line}  {} in scope {}, {text}", self.name(binding.name), binding.scope.0))
    }

    fn name(&self, atom: Atom) -> &str {
        self.outline.names.get(atom)
    }

    fn qualified(&self, scope: &[Atom], name: Atom) -> String {
        scope.iter().chain([&name]).map(|part| self.name(*part)).collect::<Vec<_>>().join(".")
    }

    fn push_list(&self, text: &mut String, parts: &[ExprId], separator: &str, depth: usize) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                text.push_str(separator);
            }
            self.push_expression(text, *part, depth);
        }
    }

    fn push_wrapped(&self, text: &mut String, word: &str, inner: ExprId, depth: usize) {
        text.push_str(word);
        text.push('(');
        self.push_expression(text, inner, depth);
        text.push(')');
    }

    fn push_expression(&self, text: &mut String, id: ExprId, depth: usize) {
        let Some(expr) = self.code.expressions.get(id.0 as usize).filter(|_| depth < MAX_DEPTH) else {
            return text.push('…');
        };
        let depth = depth + 1;
        match expr {
            Expr::Unknown => text.push('?'),
            Expr::Name(name) | Expr::Root(name) => text.push_str(self.name(*name)),
            Expr::Member { base, name } => {
                self.push_expression(text, *base, depth);
                text.extend([".", self.name(*name)]);
            }
            Expr::Call { callee, args } => {
                self.push_expression(text, *callee, depth);
                text.push('(');
                self.push_list(text, args, ", ", depth);
                text.push(')');
            }
            Expr::Apply { base, args } => {
                self.push_expression(text, *base, depth);
                text.push('<');
                self.push_list(text, args, ", ", depth);
                text.push('>');
            }
            Expr::Builtin { name, args } => {
                text.push_str(self.name(*name));
                if !args.is_empty() {
                    text.push('<');
                    self.push_list(text, args, ", ", depth);
                    text.push('>');
                }
            }
            Expr::Instance(inner) => self.push_wrapped(text, "value of ", *inner, depth),
            Expr::Index(inner) => self.push_wrapped(text, "entry of ", *inner, depth),
            Expr::Element(inner) => self.push_wrapped(text, "element of ", *inner, depth),
            Expr::Item(inner, number) => self.push_wrapped(text, &format!("part {number} of "), *inner, depth),
            Expr::Unwrap(inner) => self.push_wrapped(text, "content of ", *inner, depth),
            Expr::ParentOf(inner) => self.push_wrapped(text, "parent of ", *inner, depth),
            Expr::TypeOf(inner) => self.push_wrapped(text, "type of ", *inner, depth),
            Expr::Receiver => text.push_str("(receiver)"),
            Expr::ReceiverType => text.push_str("(receiver's type)"),
            Expr::Parent => text.push_str("(parent)"),
            Expr::Union(parts) => self.push_list(text, parts, " | ", depth),
            Expr::FirstOf(parts) => self.push_list(text, parts, " or else ", depth),
            Expr::Tuple(parts) => {
                text.push('(');
                self.push_list(text, parts, ", ", depth);
                text.push(')');
            }
            Expr::Object(members) => {
                text.push('{');
                for (name, value) in members {
                    text.extend([self.name(*name), ": "]);
                    self.push_expression(text, *value, depth);
                    text.push_str("; ");
                }
                text.push('}');
            }
            other => self.push_function(text, other, depth),
        }
    }

    /// Adds functions and what is derived from calls and functions.
    fn push_function(&self, text: &mut String, expr: &Expr, depth: usize) {
        let mut numbered = |word: &str, number: u16, inner: ExprId| {
            self.push_wrapped(text, &format!("{word} {number} of "), inner, depth);
        };
        match expr {
            Expr::LambdaParameter { call, argument, parameter } => {
                numbered(&format!("parameter {parameter} of the function in argument"), *argument, *call);
            }
            Expr::ArgumentOf { call, argument } => numbered("argument", *argument, *call),
            Expr::ParameterOf { function, parameter } => numbered("parameter", *parameter, *function),
            Expr::Function { params, result } => {
                text.push_str("function(");
                self.push_list(text, params, ", ", depth);
                text.push(')');
                if let Some(result) = result {
                    text.push_str(" -> ");
                    self.push_expression(text, *result, depth);
                }
            }
            Expr::Labeled { label, value } => {
                text.extend([self.name(*label), ": "]);
                self.push_expression(text, *value, depth);
            }
            Expr::Definition(id) => {
                let name = self.outline.definitions.get(id.index()).map(|definition| self.name(definition.name));
                text.extend(["definition ", name.unwrap_or("?")]);
            }
            _ => text.push('?'),
        }
    }
}
