//! Lambdas: functions without a name, whose parameters can have the types that their surroundings expect.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::Walker;
use crate::facts::{Container, Expr, ExprId, Role, ScopeKind};

impl<'a> Walker<'a> {
    /// Visits a lambda. `expected` is the call that it is an argument of, and its number there.
    pub fn lambda(&mut self, node: Node<'a>, pattern: &Pattern, expected: Option<(ExprId, u16)>) -> ExprId {
        let before = self.context;
        self.context.scope = self.open_scope(ScopeKind::Function, None);
        self.context.container = Container::Module;
        self.context.is_local = true;
        let lists = self.parts(node, pattern, Part::Parameters);
        let outer_locals = self.flow.locals.len();
        let (mut params, mut bound) = (Vec::new(), Vec::new());
        for (number, node) in (0_u16..).zip(self.parameter_nodes(&lists)) {
            let Some(pattern) = self.pattern(node) else { continue };
            let declared = self.declared_type(node, pattern);
            let name_node = self.part(node, pattern, Part::Name).unwrap_or(node);
            let name = self.atom_of(name_node);
            match (declared, expected) {
                (None, Some((call, argument))) if self.part(node, pattern, Part::Value).is_none() => {
                    params.push(self.unknown);
                    let value = self.facts.expr(Expr::LambdaParameter { call, argument, parameter: number });
                    self.bind_local(name, name_node, None, Some(value));
                }
                _ => {
                    self.parameter(node, pattern, declared, &mut bound);
                    params.extend(bound.drain(..).map(|one| one.value_type.unwrap_or(self.unknown)));
                }
            }
            if self.dialect.flow.is_some() {
                let own_name = self.facts.expr(Expr::Name(name));
                self.flow.locals.push(name, own_name);
            }
        }
        let declared = self.part(node, pattern, Part::Result).map(|part| self.type_expr(part, Some(Role::Type)));
        let bodies = self.parts(node, pattern, Part::Body);
        let returns = self.collect_returns(|walker| {
            for body in bodies {
                let value = walker.visit(body, Role::Read);
                if !walker.is(body, Action::Block) || walker.dialect.returns_last_value {
                    walker.add_return(value);
                }
            }
        });
        self.context = before;
        self.flow.locals.truncate(outer_locals);
        let result = match declared {
            // The lambda is read as a value, and so is its result.
            Some(declared) => Some(self.instance(declared)),
            None if returns.is_empty() => None,
            None => Some(self.union(returns)),
        };
        self.facts.expr(Expr::Function { params, result })
    }
}
