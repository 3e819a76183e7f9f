//! Value expressions and the references in them.

use tree_sitter::Node;

use super::builtins::{BLANK, is_predeclared_type};
use super::extract::{Context, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// Adds an expression that is read.
    pub(super) fn value(&mut self, node: Node<'a>, context: Context) -> ExprId {
        self.value_as(node, context, Role::Read)
    }

    /// Adds an expression used in a role; its operands are read.
    pub(super) fn value_as(&mut self, node: Node<'a>, context: Context, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier => self.identifier(node, context, role),
            Kind::SelectorExpression => self.selector(node, context, role),
            Kind::CallExpression => self.call(node, context),
            Kind::ParenthesizedExpression => {
                let children = self.children(node);
                children.first().map_or(self.unknown, |inner| self.value_as(*inner, context, role))
            }
            Kind::UnaryExpression => self.unary(node, context),
            Kind::BinaryExpression => self.binary(node, context),
            Kind::IndexExpression => self.index_expression(node, context, role),
            Kind::SliceExpression => self.slice_expression(node, context),
            Kind::TypeConversion
                if self.child(node, self.fields.value_type).is_some_and(|t| kind(t) == Kind::GenericType) =>
            {
                self.instantiated_call(node, context)
            }
            Kind::TypeAssertion | Kind::TypeConversion => {
                if let Some(operand) = self.child(node, self.fields.operand) {
                    self.value(operand, context);
                }
                let Some(type_node) = self.child(node, self.fields.value_type) else { return self.unknown };
                let inner = self.type_expr(type_node, context);
                self.facts.expr(Expr::Instance(inner))
            }
            Kind::TypeInstantiation => self.instantiation(node, context, role),
            Kind::CompositeLiteral => self.composite_literal(node, context),
            Kind::FuncLiteral => self.function_literal(node, context),
            Kind::InterpretedString | Kind::RawString => self.builtin("string"),
            Kind::IntLiteral | Kind::Iota => self.builtin("int"),
            Kind::RuneLiteral => self.builtin("rune"),
            Kind::FloatLiteral => self.builtin("float64"),
            Kind::ImaginaryLiteral => self.builtin("complex128"),
            Kind::True | Kind::False => self.builtin("bool"),
            Kind::Nil | Kind::LabelName | Kind::BlankIdentifier => self.unknown,
            // Types occur as values in `new(T)`, and anywhere after a syntax error.
            Kind::TypeIdentifier
            | Kind::QualifiedType
            | Kind::GenericType
            | Kind::PointerType
            | Kind::ArrayType
            | Kind::SliceType
            | Kind::MapType
            | Kind::ChannelType
            | Kind::FunctionType
            | Kind::StructType
            | Kind::InterfaceType => self.type_expr(node, context),
            _ => self.first_child_value(node, context),
        }
    }

    /// Walks all children of a node and returns the value of the first expression.
    fn first_child_value(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let mut first = None;
        self.for_each_child(node, |walker, child| {
            let expr = walker.visit(child, context);
            first = first.or(expr);
        });
        first.unwrap_or(self.unknown)
    }

    fn identifier(&mut self, node: Node<'a>, context: Context, role: Role) -> ExprId {
        let name = self.text_of(node);
        if name == BLANK {
            return self.unknown;
        }
        if is_predeclared_type(name) {
            return self.builtin(name);
        }
        let expr = self.facts.name(name);
        self.add_reference(expr, node, role, context);
        expr
    }

    fn selector(&mut self, node: Node<'a>, context: Context, role: Role) -> ExprId {
        let (Some(operand), Some(field)) = (self.child(node, self.fields.operand), self.child(node, self.fields.field))
        else {
            return self.first_child_value(node, context);
        };
        let base = match kind(operand) {
            Kind::Identifier => self.base_name(operand, context),
            _ => self.value(operand, context),
        };
        let expr = self.facts.member(base, &self.text[field.byte_range()]);
        self.add_reference(expr, field, role, context);
        expr
    }

    fn call(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let Some(function) = self.child(node, self.fields.function) else {
            return self.first_child_value(node, context);
        };
        let arguments = self.child(node, self.fields.arguments);
        if kind(function) == Kind::Identifier
            && let Some(result) = self.builtin_call(self.text_of(function), arguments, context)
        {
            return result;
        }
        let mut callee = self.value_as(function, context, Role::Call);
        if let Some(list) = self.child(node, self.fields.type_arguments) {
            let args = self.type_list(list, context);
            callee = self.facts.expr(Expr::Apply { base: callee, args });
        }
        let nodes = arguments.map_or(Vec::new(), |list| self.children(list));
        let args: Vec<ExprId> = nodes.iter().map(|argument| self.value(*argument, context)).collect();
        self.record_signal(function, &nodes, &args, context);
        self.facts.expr(Expr::Call { callee, args })
    }

    /// Adds `f[T](x)`, `List[T](x)` or `list[i](x)` with one argument, which the grammar parses as a conversion.
    fn instantiated_call(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let Some(type_node) = self.child(node, self.fields.value_type) else { return self.unknown };
        let base =
            self.child(type_node, self.fields.value_type).map_or(self.unknown, |name| self.type_callee(name, context));
        let list = self.child(type_node, self.fields.type_arguments);
        let args = list.map_or(Vec::new(), |list| self.type_list(list, context));
        let callee = self.facts.expr(Expr::Apply { base, args });
        let args = self.child(node, self.fields.operand).map(|operand| self.value(operand, context));
        self.facts.expr(Expr::Call { callee, args: args.into_iter().collect() })
    }

    /// Adds a callee that the grammar parsed as a type.
    fn type_callee(&mut self, node: Node<'a>, context: Context) -> ExprId {
        if kind(node) != Kind::QualifiedType {
            return self.identifier(node, context, Role::Call);
        }
        let (Some(package), Some(name)) = (self.child(node, self.fields.package), self.child(node, self.fields.name))
        else {
            return self.unknown;
        };
        let base = self.base_name(package, context);
        let expr = self.facts.member(base, &self.text[name.byte_range()]);
        self.add_reference(expr, name, Role::Call, context);
        expr
    }

    /// Adds the operand of a selector. The name of an imported package is not recorded as a reference; if a local
    /// variable shadows it, only a read of that variable is lost.
    fn base_name(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let name = self.text_of(node);
        if self.imports.contains_key(name) { self.facts.name(name) } else { self.identifier(node, context, Role::Read) }
    }

    /// Returns the result of a builtin function or of a conversion to a predeclared type, if the call is one.
    fn builtin_call(&mut self, name: &str, arguments: Option<Node<'a>>, context: Context) -> Option<ExprId> {
        if !is_predeclared_type(name) && !matches!(name, "new" | "make" | "append" | "len" | "cap" | "panic") {
            return None;
        }
        let nodes = arguments.map_or(Vec::new(), |list| self.children(list));
        if matches!(name, "new" | "make") {
            let (type_node, rest) = nodes.split_first()?;
            let inner = self.type_expr(*type_node, context);
            rest.iter().for_each(|argument| {
                self.value(*argument, context);
            });
            return Some(self.facts.expr(Expr::Instance(inner)));
        }
        let args: Vec<ExprId> = nodes.iter().map(|argument| self.value(*argument, context)).collect();
        Some(match name {
            "append" => args.first().copied().unwrap_or(self.unknown),
            "len" | "cap" => self.builtin("int"),
            "panic" => self.unknown,
            _ => self.builtin(name),
        })
    }

    fn unary(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let Some(operand) = self.child(node, self.fields.operand) else { return self.first_child_value(node, context) };
        let inner = self.value(operand, context);
        match self.child(node, self.fields.operator).map(|operator| self.text_of(operator)) {
            Some("<-") => self.facts.expr(Expr::Element(inner)),
            Some("!") => self.builtin("bool"),
            _ => inner,
        }
    }

    /// Adds a binary expression. Its type is that of its operands, of which an untyped literal does not count.
    fn binary(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let (Some(left), Some(right)) = (self.child(node, self.fields.left), self.child(node, self.fields.right))
        else {
            return self.first_child_value(node, context);
        };
        let (first, second) = (self.value(left, context), self.value(right, context));
        match self.child(node, self.fields.operator).map(|operator| self.text_of(operator)) {
            Some("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||") => self.builtin("bool"),
            _ if matches!(kind(left), Kind::IntLiteral | Kind::FloatLiteral | Kind::InterpretedString) => second,
            _ => first,
        }
    }

    /// Adds `x[i]`, or `f[T]` if the index is a predeclared type; the grammar does not distinguish them.
    fn index_expression(&mut self, node: Node<'a>, context: Context, role: Role) -> ExprId {
        let Some(operand) = self.child(node, self.fields.operand) else { return self.first_child_value(node, context) };
        let index = self.child(node, self.fields.index);
        let is_type = index.is_some_and(|index| is_predeclared_type(self.text_of(index)));
        let base = self.value_as(operand, context, if is_type { role } else { Role::Read });
        let argument = index.map_or(self.unknown, |index| self.value(index, context));
        if is_type {
            return self.facts.expr(Expr::Apply { base, args: vec![argument] });
        }
        self.facts.expr(Expr::Index(base))
    }

    fn slice_expression(&mut self, node: Node<'a>, context: Context) -> ExprId {
        let mut sliced = self.unknown;
        let operand = self.fields.operand;
        self.for_each_child_with_field(node, |walker, child, field| {
            let expr = walker.value(child, context);
            if field == operand {
                sliced = expr;
            }
        });
        sliced
    }

    /// Adds `f[K, V]` that is not called.
    fn instantiation(&mut self, node: Node<'a>, context: Context, role: Role) -> ExprId {
        let mut base = None;
        let mut args = Vec::new();
        self.for_each_child(node, |walker, child| match base {
            None => base = Some(walker.value_as(child, context, role)),
            Some(_) => args.push(walker.type_expr(child, context)),
        });
        let Some(base) = base else { return self.unknown };
        self.facts.expr(Expr::Apply { base, args })
    }
}
