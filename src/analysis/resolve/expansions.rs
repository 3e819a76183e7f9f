//! Uses of macros that make names of their arguments.
//!
//! The value of such a macro is its template: the names that its text has, in which `#0#` stands for the first parameter,
//! and the macros that it uses. A use of it refers to what these names mean where the macro is defined.

use std::collections::BTreeSet;

use super::edges::{FileEdges, definition_endpoint};
use super::input::FileIndex;
use super::rules::UseSite;
use super::value::SymbolRef;
use crate::facts::{Expr, ExprId, Reference, Role, ScopeId, name_key};
use crate::model::{EdgeType, SymbolKind};

/// Maximum depth of macros that use macros, and number of names that one use makes.
const MAX_DEPTH: usize = 4;
const MAX_NAMES: usize = 2048;

impl FileEdges<'_> {
    /// Returns the use of a macro that a reference is.
    fn use_of_macro(&self, reference: &Reference) -> Option<(ExprId, &[ExprId])> {
        let expressions = &self.world().code(self.file).expressions;
        let Expr::Union(parts) = &expressions[reference.expr.0 as usize] else { return None };
        let &[only] = parts.as_slice() else { return None };
        match &expressions[only.0 as usize] {
            Expr::Call { callee, args } if reference.role == Role::Read => Some((*callee, args)),
            _ => None,
        }
    }

    /// Adds the edges of a reference that uses a macro with names. Returns whether it does.
    pub(super) fn add_expansion(&mut self, reference: &Reference) -> bool {
        let Some((callee, args)) = self.use_of_macro(reference) else { return false };
        let (callee, args) = (self.text(self.file, callee), args.to_vec());
        let args: Vec<String> = args.iter().map(|arg| self.text(self.file, *arg)).collect();
        let mut found = BTreeSet::new();
        self.expand(self.file, &callee, &args, 0, &mut found);
        let source = self.source(reference.source);
        for symbol in found {
            let target = definition_endpoint(symbol);
            if !self.edges.contains_key(&(source.clone(), target.clone(), EdgeType::Calls)) {
                self.add_resolved(source.clone(), target, EdgeType::References);
            }
        }
        true
    }

    /// Returns the name that an expression is; empty if it is none.
    fn text(&self, file: FileIndex, expr: ExprId) -> String {
        match &self.world().code(file).expressions[expr.0 as usize] {
            Expr::Name(name) => self.world().outline(file).names.get(*name).to_owned(),
            _ => String::new(),
        }
    }

    /// Adds what the names mean that a macro makes of these arguments.
    fn expand(&mut self, from: FileIndex, name: &str, args: &[String], depth: usize, found: &mut BTreeSet<SymbolRef>) {
        if depth > MAX_DEPTH || name.is_empty() {
            return;
        }
        let world = self.world();
        for used in self.macros(from, name) {
            let Some(template) = world.definition(used).value else { continue };
            let expressions = &world.code(used.file).expressions;
            let Expr::Tuple(parts) = &expressions[template.0 as usize] else { continue };
            let filled = |text: String| fill(&text, args);
            for part in parts {
                if found.len() >= MAX_NAMES {
                    return;
                }
                match &expressions[part.0 as usize] {
                    Expr::Call { callee, args } => {
                        let callee = filled(self.text(used.file, *callee));
                        let inner: Vec<String> = args.iter().map(|arg| filled(self.text(used.file, *arg))).collect();
                        self.expand(from, &callee, &inner, depth + 1, found);
                    }
                    _ => {
                        let made = filled(self.text(used.file, *part));
                        found.extend(self.meant(used.file, &made));
                    }
                }
            }
        }
    }

    /// Returns the macros of a name that a file, or one that includes it, defines or includes.
    fn macros(&mut self, from: FileIndex, name: &str) -> Vec<SymbolRef> {
        let world = self.world();
        let key = name_key(name);
        self.eval.record_lookup(key);
        let named = world.named(world.files[from.index()].language, key);
        let is_macro = |symbol: &&SymbolRef| world.definition(**symbol).kind == SymbolKind::Macro;
        let macros: Vec<SymbolRef> = named.iter().filter(is_macro).copied().collect();
        let rules = world.rules(from);
        let mut seen = Vec::new();
        for one in macros {
            if one.file == from
                || rules.reaches(&mut self.eval, from, one.file)
                || rules.reaches(&mut self.eval, one.file, from)
            {
                self.eval.consult(one);
                seen.push(one);
            }
        }
        seen
    }

    /// Returns the definition that a name means in a file: its own one, or the one that is linked.
    fn meant(&mut self, file: FileIndex, name: &str) -> Option<SymbolRef> {
        let world = self.world();
        let key = name_key(name);
        self.eval.record_lookup(key);
        let named = world.named(world.files[file.index()].language, key);
        let own = named.iter().find(|symbol| symbol.file == file && !world.definition(**symbol).flags.is_abstract);
        if let Some(own) = own {
            self.eval.consult(*own);
            return Some(*own);
        }
        let site = UseSite { file, scope: ScopeId(0) };
        let module = self.eval.module_at(site)?;
        let bound = self.eval.nearest_definition(site, module, key)?;
        match self.eval.denoted(bound) {
            super::value::Value::Symbol { symbol, .. } => Some(symbol),
            _ => None,
        }
    }
}

/// Replaces the places of parameters in a name by arguments.
fn fill(text: &str, args: &[String]) -> String {
    let mut filled = String::with_capacity(text.len());
    for (number, part) in text.split('#').enumerate() {
        match part.parse::<usize>() {
            Ok(parameter) if number % 2 == 1 => filled.push_str(args.get(parameter).map_or("", String::as_str)),
            _ => filled.push_str(part),
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn arguments_are_pasted_into_names() {
        let args = ["get".to_owned(), "list".to_owned()];
        assert_eq!(fill("do_#0#_#1#", &args), "do_get_list");
        assert_eq!(fill("#1#", &args), "list");
        assert_eq!(fill("plain", &args), "plain");
    }
}
