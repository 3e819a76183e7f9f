//! Supertypes of types, and bounds of type parameters.

use std::sync::Arc;

use super::types::RECEIVER_TYPE;
use super::{Evaluator, MAX_PARTS, Query};
use crate::facts::{BaseRelation, Scope, ScopeId, ScopeKind, TypeParameter};
use crate::model::SymbolKind;
use crate::resolve::rules::UseSite;
use crate::resolve::value::{ParameterRef, SymbolRef, Value, Values};

/// Maximum number of ancestors collected for one type.
const MAX_BASES: usize = 200;

/// Maximum length of a chain of parameters that bound each other.
const MAX_BOUNDS: usize = 16;

impl<'w> Evaluator<'w> {
    /// Returns a type and all its supertypes, nearest first, as instances with their generic arguments. A base that is
    /// reached by several paths has the position of the last path.
    pub fn ancestors(&mut self, instance: &Value) -> Values {
        match instance {
            Value::Instance { symbol, args } if args.is_empty() => {
                let computed = |eval: &mut Self| Value::Tuple(eval.computed_ancestors(instance).into());
                match self.query(Query::Ancestors(*symbol), computed) {
                    Value::Tuple(ancestors) => ancestors,
                    _ => Arc::new([instance.clone()]),
                }
            }
            _ => self.computed_ancestors(instance).into(),
        }
    }

    fn computed_ancestors(&mut self, instance: &Value) -> Vec<Value> {
        let mut all = Vec::new();
        self.collect_ancestors(instance, &mut all);
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for value in all.iter().skip(1).rev() {
            if let Value::Instance { symbol, .. } = value {
                if seen.contains(symbol) {
                    continue;
                }
                seen.push(*symbol);
            }
            kept.push(value.clone());
        }
        kept.extend(all.first().cloned());
        kept.reverse();
        kept
    }

    fn collect_ancestors(&mut self, instance: &Value, all: &mut Vec<Value>) {
        if all.len() >= MAX_BASES || all.contains(instance) {
            return;
        }
        all.push(instance.clone());
        let Value::Instance { symbol, args } = instance else { return };
        let substitution = self.own_substitution(*symbol, args);
        for base in self.bases(*symbol).iter() {
            if all.len() >= MAX_BASES {
                return;
            }
            let mut base = base.substitute(&substitution);
            if base.exceeds_parts(MAX_PARTS)
                && let Value::Instance { args, .. } = &mut base
            {
                *args = Arc::new([]);
            }
            self.collect_ancestors(&base, all);
        }
    }

    /// Returns the direct bases of a type, its own parameters unsubstituted: declared bases, then the traits that
    /// extension blocks implement. External bases are included.
    pub fn bases(&mut self, symbol: SymbolRef) -> Values {
        match self.query(Query::Bases(symbol), |eval| Value::Tuple(eval.declared_bases(symbol).into())) {
            Value::Tuple(bases) => bases,
            _ => Arc::new([]),
        }
    }

    fn declared_bases(&mut self, symbol: SymbolRef) -> Vec<Value> {
        self.consult(symbol);
        let mut bases: Vec<Value> = Vec::new();
        for part in self.world.open_types.parts(symbol).iter() {
            let definition = self.world.definition(*part);
            for base in definition.bases.iter().filter(|base| base.relation != BaseRelation::OfType) {
                let site = self.base_site(*part, base.relation);
                let value = self.type_of(site, base.expr);
                for value in value.alternatives() {
                    if !value.is_unknown() && !bases.contains(value) {
                        bases.push(value.clone());
                    }
                }
            }
        }
        let is_variable = matches!(self.world.definition(symbol).kind, SymbolKind::Var | SymbolKind::Const);
        if is_variable && self.world.is_object(symbol) {
            let value = self.assigned_value(symbol);
            bases.extend(value.alternatives().iter().filter(|value| !value.is_unknown()).cloned());
        }
        if self.use_extensions {
            bases.extend(self.implemented_traits(symbol));
        }
        bases
    }

    /// Returns where a base of a type is looked up: around the type, or in its body if a statement there names it (Ruby's
    /// `include`).
    pub fn base_site(&self, symbol: SymbolRef, relation: BaseRelation) -> UseSite {
        let around = UseSite { file: symbol.file, scope: self.world.definition(symbol).scope };
        if relation == BaseRelation::Extends || !self.rules(symbol.file).traits().separates_static_members {
            return around;
        }
        let is_body = |scope: &&Scope| scope.kind == ScopeKind::Type && scope.definition == Some(symbol.definition);
        let scopes = &self.world.code(symbol.file).scopes;
        let body = scopes.iter().position(|scope| is_body(&scope));
        body.map_or(around, |body| UseSite { file: symbol.file, scope: ScopeId(body as u32) })
    }

    /// Returns the bases of a type in one relation to it: the modules whose members are members of the type itself, or those whose
    /// methods run before its own.
    pub fn related_modules(&mut self, symbol: SymbolRef, relation: BaseRelation) -> Vec<Value> {
        let mut modules = Vec::new();
        for part in self.world.open_types.parts(symbol).iter() {
            let definition = self.world.definition(*part);
            for base in definition.bases.iter().filter(|base| base.relation == relation) {
                let site = self.base_site(*part, base.relation);
                modules.push(self.type_of(site, base.expr));
            }
        }
        modules
    }

    fn implemented_traits(&mut self, symbol: SymbolRef) -> Vec<Value> {
        let Some(blocks) = self.world.extensions().of_type.get(&symbol) else { return Vec::new() };
        let own = self.own_instance(symbol);
        let mut traits = Vec::new();
        for block in blocks {
            let extension = self.world.extension(*block);
            let Some(implements) = extension.implements else { continue };
            let value = self.type_of(UseSite { file: block.0, scope: extension.scope }, implements);
            let bound = self.extension_substitution(*block, &own);
            let value = value.substitute(&bound);
            if !value.is_unknown() && !traits.contains(&value) {
                traits.push(value);
            }
        }
        traits
    }

    /// Returns the bounds of a type parameter. Bounds that are parameters themselves are followed; cycles end the
    /// search.
    pub fn bounds(&mut self, parameter: ParameterRef) -> Vec<Value> {
        let mut bounds = Vec::new();
        self.collect_bounds(parameter, &mut Vec::new(), &mut bounds);
        bounds
    }

    fn collect_bounds(&mut self, parameter: ParameterRef, seen: &mut Vec<ParameterRef>, bounds: &mut Vec<Value>) {
        if seen.len() >= MAX_BOUNDS || seen.contains(&parameter) {
            return;
        }
        seen.push(parameter);
        for bound in self.declared_bounds(parameter) {
            if !bound.alternatives().iter().any(|part| matches!(part, Value::Parameter(_))) {
                bounds.push(bound);
                continue;
            }
            for part in bound.alternatives() {
                match part {
                    Value::Parameter(other) => self.collect_bounds(*other, seen, bounds),
                    other => bounds.push(other.clone()),
                }
            }
        }
    }

    fn declared_bounds(&mut self, parameter: ParameterRef) -> Vec<Value> {
        let Some((scope, entry)) = self.type_parameter(parameter) else { return Vec::new() };
        let site = UseSite { file: parameter.file, scope };
        entry.bounds.iter().map(|bound| self.type_of(site, *bound)).filter(|value| !value.is_unknown()).collect()
    }

    /// Returns whether a type parameter is declared without bounds.
    pub(super) fn is_unbounded(&self, parameter: ParameterRef) -> bool {
        self.type_parameter(parameter).is_some_and(|(_, entry)| entry.bounds.is_empty())
    }

    /// Returns a type parameter, and the scope of its bounds.
    fn type_parameter(&self, parameter: ParameterRef) -> Option<(ScopeId, &'w TypeParameter)> {
        if parameter == RECEIVER_TYPE {
            return None;
        }
        let outline = self.world.outline(parameter.file);
        let (scope, list) = if parameter.extension {
            let extension = outline.extensions.get(parameter.owner as usize)?;
            (extension.scope, &extension.type_parameters[..])
        } else {
            let definition = outline.definitions.get(parameter.owner as usize)?;
            (definition.scope, &definition.type_parameters[..])
        };
        Some((scope, list.get(parameter.index as usize)?))
    }
}
