//! Types on whose values inherited methods are called: what their siblings override does not run.

use std::collections::BTreeMap;

use super::edges::{FileEdges, definition_endpoint};
use super::guess::Guesses;
use super::output::EdgeEndpoint;
use super::rules::UseSite;
use super::value::{SymbolRef, Value};
use crate::facts::{Container, Expr, Reference};
use crate::model::{EdgeType, SymbolKind};

impl FileEdges<'_> {
    /// Notes the type on whose value a method is called, if other types have a method of its name.
    pub(super) fn note_receiver(
        &mut self,
        site: UseSite,
        reference: &Reference,
        source: &EdgeEndpoint,
        method: SymbolRef,
    ) {
        let world = self.world();
        let language = world.files[method.file.index()].language;
        let key = world.outline(method.file).names.key(world.definition(method).name);
        if world.definition(method).container == Container::Module
            || !world.guess(language, key).is_some_and(Guesses::has_several)
        {
            return;
        }
        let mut at = reference.expr;
        let receiver = loop {
            match &world.code(site.file).expressions[at.0 as usize] {
                Expr::Call { callee: inner, .. } | Expr::Apply { base: inner, .. } => at = *inner,
                Expr::Union(parts) if !parts.is_empty() => at = parts[0],
                Expr::FirstOf(parts) if !parts.is_empty() => {
                    at = self.eval.first_denoted(site, parts, reference.position).unwrap_or(parts[0]);
                }
                Expr::Member { base, .. } => break self.eval.member_base(site, *base, reference.position),
                Expr::Name(_) => break self.eval.receiver(site),
                _ => break Value::Unknown,
            }
        };
        let mut types: Vec<Option<SymbolRef>> = Vec::new();
        for part in receiver.alternatives() {
            // A type parameter is of the types that it extends.
            let bounds = if let Value::Parameter(parameter) = part { self.eval.bounds(*parameter) } else { Vec::new() };
            let parts = if bounds.is_empty() { std::slice::from_ref(part) } else { &bounds };
            types.extend(parts.iter().map(|part| match part {
                Value::Instance { symbol, .. } | Value::Symbol { symbol, .. } => Some(*symbol),
                _ => None,
            }));
        }
        self.receivers.entry((source.clone(), method)).or_default().extend(types);
    }

    /// Adds the types on which inherited methods are called: below other types, nothing overrides these.
    pub(super) fn add_receivers(&mut self) {
        let receivers = std::mem::take(&mut self.receivers);
        let mut open: BTreeMap<&EdgeEndpoint, Vec<SymbolRef>> = BTreeMap::new();
        let mut narrow: BTreeMap<&EdgeEndpoint, Vec<SymbolRef>> = BTreeMap::new();
        for ((source, method), types) in &receivers {
            let Some(owner) = self.eval.owner(*method) else { continue };
            let known: Option<Vec<SymbolRef>> = types.iter().copied().collect();
            match known.filter(|known| !known.is_empty() && known.iter().all(|ty| self.is_below(*ty, owner))) {
                Some(known) => narrow.entry(source).or_default().extend(known),
                None => open.entry(source).or_default().push(owner),
            }
        }
        for (source, mut types) in narrow {
            let around = open.get(source).map_or(&[][..], Vec::as_slice);
            types.extend(
                around
                    .iter()
                    .filter(|owner| types.iter().any(|ty| self.is_below(*ty, **owner)))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            for ty in types {
                self.add_resolved(source.clone(), definition_endpoint(ty), EdgeType::CallsOn);
            }
        }
    }

    /// Returns whether a type extends another one, whose methods its own values run.
    fn is_below(&mut self, ty: SymbolRef, other: SymbolRef) -> bool {
        let (kind, base) = (self.world().definition(ty).kind, self.world().definition(other).kind);
        let has_field = self.world().rules(ty.file).traits().bases_are_fields
            && (kind != SymbolKind::Interface && base == SymbolKind::Interface);
        if !kind.is_type() || has_field {
            return false;
        }
        let own = self.eval.own_instance(ty);
        let ancestors = self.eval.ancestors(&own);
        let above = |ancestor: &Value| matches!(ancestor, Value::Instance { symbol, .. } if *symbol == other);
        ty != other && ancestors.iter().any(above)
    }
}
