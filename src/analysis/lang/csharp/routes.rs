//! Routes of ASP.NET Core, environment variables and processes.

use tree_sitter::Node;

use crate::facts::{Expr, ExprId, Role, SignalKind};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::{Call, Walker};

/// Attributes that map a route, with their HTTP methods.
const MAPPINGS: &[(&str, &str)] = &[
    ("HttpDelete", "DELETE "),
    ("HttpGet", "GET "),
    ("HttpHead", "HEAD "),
    ("HttpOptions", "OPTIONS "),
    ("HttpPatch", "PATCH "),
    ("HttpPost", "POST "),
    ("HttpPut", "PUT "),
    ("Route", ""),
];

/// Methods of endpoint builders that map a route, with their HTTP methods.
const BUILDERS: &[(&str, &str)] =
    &[("MapDelete", "DELETE"), ("MapGet", "GET"), ("MapPatch", "PATCH"), ("MapPost", "POST"), ("MapPut", "PUT")];

/// Visits an attribute. On a method, one that maps a route is a signal; one on the type around it is its prefix.
pub fn attribute<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    if let Some(name) = walker.field(node, "name") {
        refer_to_attribute(walker, name);
    }
    if let Some(pattern) = walker.pattern(node) {
        for argument in walker.argument_nodes(node, pattern) {
            walker.visit(argument, Role::Read);
        }
    }
    let Some(source) = walker.context.source.filter(|id| walker.facts.definition(*id).kind.is_callable()) else {
        return walker.unknown;
    };
    let Some((verb, own)) = mapped(walker, node) else { return walker.unknown };
    let class = enclosing_class(node);
    let is_absolute = own.starts_with(['/', '~']);
    let prefix = class.filter(|_| !is_absolute).and_then(|class| prefix(walker, class)).unwrap_or_default();
    let parts = [prefix.as_str(), &own].map(|part| part.trim_matches(['/', '~']));
    let path: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let class_name = class.and_then(|class| walker.field(class, "name")).map_or("", |name| walker.text_of(name));
    let controller = class_name.strip_suffix("Controller").unwrap_or(class_name).to_owned();
    let action = walker.facts.text(walker.facts.definition(source).name).to_owned();
    let path = path.join("/").replace("[controller]", &controller).replace("[action]", &action);
    let route = walker.facts.atom(&format!("{verb}/{path}"));
    walker.signal(node, SignalKind::Route { route, handler: None });
    walker.unknown
}

/// Adds a reference to the type of an attribute: `Fact` is `FactAttribute` or `Fact`.
fn refer_to_attribute<'a>(walker: &mut Walker<'a>, name: Node<'a>) {
    let text = walker.text_of(name);
    if name.kind() != "identifier" || text.ends_with("Attribute") {
        walker.type_expr(name, Some(Role::Decorator));
        return;
    }
    let full = walker.facts.name(&format!("{text}Attribute"));
    let short = walker.facts.name(text);
    let either = walker.facts.expr(Expr::Union(vec![full, short]));
    walker.refer(either, name, Role::Decorator);
}

/// Returns the HTTP method and the path of an attribute that maps a route.
fn mapped<'a>(walker: &mut Walker<'a>, attribute: Node<'a>) -> Option<(&'static str, String)> {
    let name = walker.field(attribute, "name").map(|name| walker.text_of(name))?;
    let (_, verb) = MAPPINGS.iter().find(|(known, _)| *known == name)?;
    // The path is the first string: `("a")`, `(Name = "a")` has none.
    let pattern = walker.pattern(attribute)?;
    let lists = walker.parts(attribute, pattern, Part::Arguments);
    let first = lists.first().and_then(|list| walker.children(*list).into_iter().next());
    let text = first.map_or("", |first| walker.text_of(first));
    Some((verb, text.strip_prefix('"').unwrap_or_default().split('"').next().unwrap_or_default().to_owned()))
}

fn enclosing_class(attribute: Node<'_>) -> Option<Node<'_>> {
    let outer = std::iter::successors(attribute.parent(), Node::parent).find(|node| node.kind() == "declaration_list");
    outer.and_then(|body| body.parent())
}

/// Returns the path that is mapped on a type.
fn prefix<'a>(walker: &mut Walker<'a>, class: Node<'a>) -> Option<String> {
    let lists = walker.children(class).into_iter().filter(|child| child.kind() == "attribute_list");
    let attributes: Vec<Node<'a>> =
        lists.collect::<Vec<_>>().into_iter().flat_map(|list| walker.children(list)).collect();
    attributes.into_iter().find_map(|attribute| mapped(walker, attribute)).map(|(_, path)| path)
}

/// Adds the signals of a call: environment variables, processes, and routes (`app.MapGet("/users", …)`).
pub fn on_call<'a>(walker: &mut Walker<'a>, call: &Call<'a>) {
    let name = call.name.map_or("", |name| walker.text_of(name));
    let object = call.object.map_or("", |object| walker.text_of(object));
    let Some(first) = call.arguments.first().filter(|first| first.kind() == "string_literal") else { return };
    let text = walker.text_of(*first).trim_matches('"');
    if text.is_empty() {
        return;
    }
    let kind = match (object, name) {
        ("Environment", "GetEnvironmentVariable") => SignalKind::ReadsEnv(walker.facts.atom(text)),
        ("Process", "Start") => SignalKind::Executes(walker.facts.atom(text.split(' ').next().unwrap_or(text))),
        _ => {
            let Some((_, verb)) = BUILDERS.iter().find(|(known, _)| *known == name) else { return };
            let route = walker.facts.atom(&format!("{verb} /{}", text.trim_matches('/')));
            let handler = call.values.get(1).map(|value| (*value, walker.context.scope));
            let is_path =
                |(value, _): &(ExprId, _)| matches!(walker.facts.get(*value), Expr::Name(_) | Expr::Member { .. });
            let handler = handler.filter(is_path);
            SignalKind::Route { route, handler }
        }
    };
    walker.signal(call.node, kind);
}
