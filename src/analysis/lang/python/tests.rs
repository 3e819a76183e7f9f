//! Facts extracted from Python snippets.

use super::extract;
use crate::facts::{FileFacts, SignalKind};
use crate::lang::SourceFile;

/// Returns the facts of a file.
fn facts_of(path: &str, text: &str) -> FileFacts {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits");
    let tree = parser.parse(text, None).expect("a tree");
    extract(&SourceFile { path, text, tree: &tree })
}

/// Returns one line for each definition: kind, qualified name, line, flags.
fn outline(path: &str, text: &str) -> Vec<String> {
    let facts = facts_of(path, text);
    let names = &facts.outline.names;
    let line = |definition: &crate::facts::Definition| {
        let scope = definition.scope_names.iter().map(|name| names.get(*name));
        let name: Vec<&str> = scope.chain([names.get(definition.name)]).collect();
        let flags = definition.flags;
        let mut line = format!("{} {}:{}", definition.kind.name(), name.join("."), definition.span.name_line);
        for (flag, word) in [
            (flags.is_test, "test"),
            (flags.is_property, "property"),
            (flags.is_static, "static"),
            (flags.is_abstract, "abstract"),
            (flags.is_async, "async"),
            (flags.is_local, "local"),
            (flags.is_alias, "alias"),
            (flags.is_variant, "variant"),
        ] {
            if flag {
                line.push(' ');
                line.push_str(word);
            }
        }
        line
    };
    facts.outline.definitions.iter().map(line).collect()
}

/// Returns one line for each signal of a file.
fn signals(text: &str) -> Vec<String> {
    let facts = facts_of("app.py", text);
    let name = |atom| facts.outline.names.get(atom).to_owned();
    let line = |kind: &SignalKind| match kind {
        SignalKind::ReadsEnv(variable) => format!("env {}", name(*variable)),
        SignalKind::Executes(program) => format!("process {}", name(*program)),
        SignalKind::Route { route, handler } => format!("route {} {}", name(*route), handler.is_some()),
        SignalKind::Endpoint(path) => format!("endpoint {}", name(*path)),
        SignalKind::GatedBy { flag, .. } => format!("flag {}", name(*flag)),
        SignalKind::SetsEnv(text) | SignalKind::Names { name: text, .. } => format!("names {}", name(*text)),
    };
    facts.code.signals.iter().map(|signal| line(&signal.kind)).collect()
}

#[test]
fn definitions_of_every_kind_are_extracted() {
    let text = "\
import enum
MAX = 3
app = make()
def outer(x):
    def inner(): pass
    class Local:
        def method(self): pass
class Color(enum.Enum):
    RED = 1
class Thing(Protocol):
    size: int
    @property
    def name(self): return ''
    @staticmethod
    def make(): pass
    def __init__(self):
        self.size = 1
        self.other: str = ''
    async def run(self): pass
double = lambda x: x * 2
Either = Union[int, str]
";
    assert_eq!(
        outline("lib/shapes.py", text),
        [
            "const MAX:2",
            "var app:3",
            "function outer:4",
            "function outer.inner:5 local",
            "type outer.Local:6 local",
            "method outer.Local.method:7 local",
            "type Color:8",
            "field Color.RED:9 variant",
            "interface Thing:10",
            "field Thing.size:11",
            "method Thing.name:13 property",
            "method Thing.make:15 static",
            "method Thing.__init__:16",
            "field Thing.other:18",
            "method Thing.run:19 async",
            "function double:20",
            "type Either:21 alias",
        ]
    );
}

#[test]
fn test_code_is_detected_by_path_segment_and_name() {
    let client = "class Flask:\n    def test_client(self): pass\n";
    assert_eq!(outline("src/flask/app.py", client), ["type Flask:1", "method Flask.test_client:2"]);
    assert_eq!(outline("latest/app.py", "def f(): pass\n"), ["function f:1"]);
    assert_eq!(outline("pkg/tests/util.py", "def f(): pass\n"), ["function f:1 test"]);
    assert_eq!(
        outline("docs/tutorial.py", "class TestX:\n    def test_a(self): pass\ndef test_b(): pass\n"),
        ["type TestX:1 test", "method TestX.test_a:2 test", "function test_b:3 test"]
    );
}

#[test]
fn spans_start_at_decorators_and_signatures_are_one_line() {
    let text = "@app.route('/')\n@login\ndef index(\n    a,\n    b: int = 3,  # the second\n) -> str:\n    \"\"\"Shows it.\n\n        More.\n    \"\"\"\n    return ''\n";
    let facts = facts_of("a.py", text);
    let definition = &facts.outline.definitions[0];
    assert_eq!((definition.span.start_line, definition.span.name_line, definition.span.end_line), (1, 3, 11));
    assert_eq!(definition.signature, "def index(a, b: int = 3) -> str");
    assert_eq!(definition.doc, "Shows it.\n\nMore.");
}

#[test]
fn long_signatures_are_cut() {
    let list = |part: &str| (0..500).map(|number| format!("{part}{number}")).collect::<Vec<_>>().join(", ");
    let facts = facts_of("a.py", &format!("def f({}): pass\nclass A({}): pass\n", list("p"), list("B")));
    for definition in &facts.outline.definitions {
        let signature = &definition.signature;
        assert!((490..=500).contains(&signature.len()) && signature.ends_with('…'), "{signature}");
    }
    assert_eq!(facts.outline.definitions[0].parameters.len(), 500);
}

#[test]
fn body_words_exclude_nested_definitions_and_docs() {
    let text = "def f():\n    'doc'\n    call_it('some words')\n    def g():\n        hidden()\n";
    let facts = facts_of("a.py", text);
    assert_eq!(facts.texts.bodies, ["call_it some words", "hidden"]);
}

#[test]
fn variable_docs_are_comments_or_strings() {
    let facts = facts_of("a.py", "#: Most rounds.\nROUNDS = 3\nname = ''\n'''Its name.'''\n");
    let docs: Vec<&str> = facts.outline.definitions.iter().map(|definition| definition.doc.as_str()).collect();
    assert_eq!(docs, ["Most rounds.", "Its name."]);
}

#[test]
fn calls_yield_env_process_and_http_signals() {
    let text = "\
import os, subprocess
os.environ['HOME']; os.getenv('PATH'); os.environ.get('X')
subprocess.run(['git', 'status'])
@app.route('/users', methods=['GET', 'POST'])
def users(): pass
@router.delete('/users/{id}')
def drop(): pass
urlpatterns = [path('polls/', views.index)]
client.get('/users?x=1')
";
    assert_eq!(
        signals(text),
        [
            "env HOME",
            "env PATH",
            "env X",
            "process git",
            "route GET /users false",
            "route POST /users false",
            "route DELETE /users/{id} false",
            "route /polls/ true",
            "endpoint GET /users",
        ]
    );
}

#[test]
fn aliases_have_parameters_with_defaults() {
    let text = "type Plain = int\ntype Pair[T, U = int] = tuple[T, U]\ntype Many[*Ts = *tuple[int]] = float\n";
    assert_eq!(outline("a.py", text), ["type Plain:1 alias", "type Pair:2 alias", "type Many:3 alias"]);
}

#[test]
fn containers_of_unknown_values_are_equal() {
    use crate::resolve::value::Value;
    assert_eq!(super::stdlib::apply("typing.List", vec![Value::Unknown]), Value::external_instance("list", Vec::new()));
}

#[test]
fn constants_are_upper_case() {
    assert!(super::is_constant("MAX_SIZE"));
    assert!(!super::is_constant("Thing"));
    assert!(!super::is_constant("T"));
    assert!(!super::is_constant("__all__"));
}

#[test]
fn broken_source_does_not_panic() {
    for text in [
        "def (",
        "class :\n  x",
        "@",
        "from . import",
        "x: 'list['",
        "match x:\n case",
        "lambda: (",
        "a = b = ",
        "\u{0}",
    ] {
        facts_of("a.py", text);
    }
    facts_of("a.py", &format!("x: '{}'\n", "[".repeat(5_000)));
}
