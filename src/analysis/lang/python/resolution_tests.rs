//! Edges that small Python repositories resolve to.

use crate::resolve::tests::{Edge, edges as resolved_edges};

/// Returns the edges of a small repository between its own definitions, as `Scope.name -type-> Scope.name`.
fn edges(files: &[(&str, &str)]) -> Vec<String> {
    let line = |edge: Edge| format!("{} -{}-> {}", edge.source, edge.edge_type, edge.target);
    resolved_edges(files).into_iter().map(line).collect()
}

/// Checks which definitions `main.py` calls in a repository of `lib.py` and `main.py`.
#[track_caller]
fn check_calls(library: &str, main: &str, expected: &[&str]) {
    let edges = edges(&[("lib.py", library), ("main.py", main)]);
    let mut calls: Vec<&str> = edges
        .iter()
        .filter_map(|line| line.strip_prefix("main.py -calls-> ").or_else(|| line.strip_prefix("main -calls-> ")))
        .collect();
    calls.sort();
    calls.dedup();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(calls, expected);
}

const LIBRARY: &str = "\
class Base:
    def ping(self): pass
    def copy(self): return self
class Thing(Base):
    items: list['Part']
    def __init__(self): self.part = Part()
    def first(self) -> 'Part': pass
    def __enter__(self) -> 'Part': pass
class Part:
    def use(self): pass
    owner: Thing | None
def make() -> Thing: pass
def parts():
    yield Part()
class Other:
    def use(self): pass
    def first(self): pass
";

#[test]
fn receivers_have_the_types_of_local_values() {
    check_calls(LIBRARY, "from lib import Thing\nThing().first().use()\n", &["Thing", "Thing.first", "Part.use"]);
    check_calls(LIBRARY, "import lib\ndef main():\n    x = lib.make()\n    x.ping()\n", &["make", "Base.ping"]);
    check_calls(LIBRARY, "import lib\ndef main(t: lib.Thing):\n    t.part.use()\n", &["Part.use"]);
    check_calls(LIBRARY, "from lib import *\ndef main():\n    for p in parts(): p.use()\n", &["parts", "Part.use"]);
    check_calls(LIBRARY, "import lib\ndef main(t: 'lib.Thing'):\n    [p.use() for p in t.items]\n", &["Part.use"]);
    check_calls(
        LIBRARY,
        "import lib\ndef main():\n    with lib.make() as p: p.use()\n",
        &["make", "Part.use", "Thing.__enter__"],
    );
    check_calls(LIBRARY, "import lib\ndef main(t: lib.Thing):\n    t.copy().first()\n", &["Base.copy", "Thing.first"]);
    let sorted = "import lib\ndef main(t: lib.Thing):\n    sorted(t.items, key=lambda p: p.use())\n";
    check_calls(LIBRARY, sorted, &["Part.use"]);
}

#[test]
fn branches_and_isinstance_narrow_locals() {
    let branches = "\
import lib
def main(flag):
    x = None
    if flag:
        x = lib.Part()
    else:
        x = lib.Thing()
        x.ping()
    x.use()
";
    check_calls(LIBRARY, branches, &["Part", "Thing", "Base.ping", "Part.use"]);
    let narrowed = "\
import lib
def main(x):
    if not isinstance(x, lib.Part):
        return
    x.use()
";
    check_calls(LIBRARY, narrowed, &["Part.use"]);
    check_calls(LIBRARY, "import lib\ndef main(x): return isinstance(x, lib.Part) and x.use()\n", &["Part.use"]);
    let handled = "\
import lib
def main():
    try:
        x = lib.Part()
    except ValueError:
        x = None
    x.use()
";
    check_calls(LIBRARY, handled, &["Part", "Part.use"]);
}

#[test]
fn values_made_from_self_have_the_receiver_type() {
    let library = "\
import copy
class Base:
    def clone(self): return copy.copy(self)
    def chain(self):
        made = self.clone()
        return made
class Thing(Base):
    def clone(self):
        made = super().clone()
        return made
    def use(self): pass
class Other:
    def use(self): pass
";
    check_calls(library, "import lib\ndef main(t: lib.Thing): t.clone().use()\n", &["Thing.clone", "Thing.use"]);
    check_calls(library, "import lib\ndef main(t: lib.Thing): t.chain().use()\n", &["Base.chain", "Thing.use"]);
}

#[test]
fn isinstance_narrows_attributes() {
    let narrowed = "\
import lib
class Main:
    def main(self):
        if isinstance(self.x, lib.Part):
            self.x.use()
        elif isinstance(self.x, lib.Thing) and self.y:
            return
        self.x.ping()
";
    let edges = edges(&[("lib.py", LIBRARY), ("main.py", narrowed)]);
    assert!(edges.contains(&"Main.main -calls-> Part.use".to_owned()), "{edges:?}");
    assert!(edges.contains(&"Main.main -calls-> Base.ping".to_owned()), "{edges:?}");
}

#[test]
fn test_parameters_have_fixture_types() {
    let conftest = "\
import pytest
from lib import Thing
@pytest.fixture
def thing():
    yield Thing()
@pytest.fixture
def part(thing):
    return thing.first()
";
    let test = "def test_it(thing, part):\n    thing.copy()\n    part.use()\n";
    let edges = edges(&[("lib.py", LIBRARY), ("tests/conftest.py", conftest), ("tests/unit/test_a.py", test)]);
    assert!(edges.contains(&"test_it -calls-> Base.copy".to_owned()), "{edges:?}");
    assert!(edges.contains(&"test_it -calls-> Part.use".to_owned()), "{edges:?}");
    assert!(edges.contains(&"part -calls-> Thing.first".to_owned()), "{edges:?}");
}

#[test]
fn tests_and_fixtures_use_fixtures() {
    let outer = "import pytest\n@pytest.fixture\ndef app(): pass\n@pytest.fixture\ndef db(app: App): pass\n";
    let inner = "import pytest\n@pytest.fixture\ndef app(): return 1\n";
    let test = "\
import pytest
@pytest.mark.usefixtures('db')
class TestIt:
    def test_method(self, app: App, tmp_path): pass
@pytest.mark.parametrize('value', [1])
def test_it(value, app=None): pass
def helper(app): pass
";
    let files = [("tests/conftest.py", outer), ("tests/unit/conftest.py", inner), ("tests/unit/test_a.py", test)];
    let mut edges = edges(&files);
    edges.retain(|edge| edge.contains("fixture"));
    edges.sort();
    assert_eq!(
        edges,
        ["TestIt -uses_fixture-> db", "TestIt.test_method -uses_fixture-> app", "db -uses_fixture-> app"]
    );
}

#[test]
fn later_definition_replaces_earlier_one() {
    let library = "\
from base import Form
class Form(Form):
    def use(self): pass
class Other:
    def use(self): pass
";
    let base = "class Form:\n    def use(self): pass\n";
    let main = "\
from lib import Form
def main():
    class Local:
        def one(self): pass
    Local().one()
    class Local:
        def two(self): pass
    Local().two()
    Form().use()
";
    let edges = edges(&[("base.py", base), ("lib.py", library), ("main.py", main)]);
    assert!(edges.contains(&"main -calls-> main.Local.one".to_owned()), "{edges:?}");
    assert!(edges.contains(&"main -calls-> main.Local.two".to_owned()), "{edges:?}");
    let forms = edges.iter().filter(|line| line.as_str() == "main -calls-> Form").count();
    assert_eq!(forms, 1);
}

#[test]
fn branches_for_other_platforms_are_ignored() {
    let library = "\
import sys
if sys.platform == 'win32':
    def lock(): pass
elif sys.version_info >= (3, 8):
    class Lock:
        def use(self): pass
    def lock(): return Lock()
else:
    def lock(): pass
class Other:
    def use(self): pass
";
    check_calls(library, "from lib import lock\ndef main(): lock().use()\n", &["lock", "Lock.use"]);
}

#[test]
fn super_of_a_class_starts_after_that_class() {
    let library = "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): pass\n";
    let edges = edges(&[
        ("lib.py", library),
        (
            "main.py",
            "from lib import B\nclass C(B):\n    def g(self):\n        super(B, self).f()\n        super().f()\n",
        ),
    ]);
    assert!(edges.contains(&"C.g -calls-> A.f".to_owned()));
    assert!(edges.contains(&"C.g -calls-> B.f".to_owned()));
}

#[test]
fn annotation_is_not_shadowed_by_its_parameter() {
    check_calls(
        "class date:\n    def day(self): pass\n",
        "from lib import date\ndef main(date: date):\n    date.day()\n",
        &["date.day"],
    );
}

#[test]
fn generic_results_depend_on_arguments() {
    let library = "\
from typing import Callable, TypeVar, Generic, overload
T = TypeVar('T')
class Part:
    def use(self): pass
class Other:
    def use(self): pass
class Box(Generic[T]):
    def get(self) -> T: pass
def same(value: T) -> T: pass
def run(function: Callable[[], T]) -> T: pass
def build(cls: type[T]) -> T: pass
def part() -> Part: pass
@overload
def pick(x: int) -> Part: ...
@overload
def pick(x: str) -> None: ...
def pick(x): pass
class Lazy(Generic[T]):
    def __get__(self, obj, owner) -> T: pass
class Owner:
    part: Part
    lazy = Lazy[Part]()
";
    check_calls(library, "from lib import *\ndef main(b: Box[Part]): b.get().use()\n", &["Box.get", "Part.use"]);
    check_calls(library, "from lib import *\ndef main(): same(Part()).use()\n", &["same", "Part", "Part.use"]);
    check_calls(library, "from lib import *\ndef main(): run(part).use()\n", &["run", "Part.use"]);
    check_calls(library, "from lib import *\ndef main(): build(Part).use()\n", &["build", "Part.use"]);
    check_calls(library, "from lib import *\ndef main(): pick(1).use()\n", &["pick", "Part.use"]);
    check_calls(library, "from lib import *\ndef main(o: Owner): o.lazy.use()\n", &["Part.use"]);
}

#[test]
fn packages_reexport_their_imports() {
    let edges = edges(&[
        ("src/pkg/__init__.py", "from .core import run as start\nfrom . import core as core\n"),
        ("src/pkg/core.py", "def run(): pass\n"),
        ("tests/test_pkg.py", "import pkg\nfrom pkg import start\ndef test_it():\n    start()\n    pkg.core.run()\n"),
    ]);
    assert!(edges.contains(&"test_it -calls-> run".to_owned()));
    assert!(edges.contains(&"tests/test_pkg.py -imports-> run".to_owned()));
}

#[test]
fn contextmanager_functions_enter_what_they_yield() {
    let library = "\
from contextlib import contextmanager
class Part:
    def use(self): pass
class Other:
    def use(self): pass
@contextmanager
def opened():
    yield Part()
";
    check_calls(
        library,
        "import lib\ndef main():\n    with lib.opened() as p:\n        p.use()\n",
        &["opened", "Part.use"],
    );
}

#[test]
fn assigned_attribute_is_the_declared_one_of_a_base() {
    let edges = edges(&[(
        "a.py",
        "class A:\n    @property\n    def debug(self) -> bool: pass\nclass B(A):\n    def f(self):\n        self.debug = 1\n        return self.debug\n",
    )]);
    assert!(edges.contains(&"B.f -calls-> A.debug".to_owned()), "{edges:?}");
}

#[test]
fn recursive_results_do_not_depend_on_query_order() {
    let library = "\
class A:
    def go(self): pass
class B:
    def go(self): pass
def f(n): return g(n) if n else A()
def g(n): return f(n)
";
    for (first, second) in [("f", "g"), ("g", "f")] {
        let main = format!("import lib\ndef one(): lib.{first}(1).go()\ndef two(): lib.{second}(1).go()\n");
        let edges = edges(&[("lib.py", library), ("main.py", &main)]);
        assert!(edges.contains(&"one -calls-> A.go".to_owned()), "{edges:?}");
        assert!(edges.contains(&"two -calls-> A.go".to_owned()), "{edges:?}");
    }
}

#[test]
fn last_of_several_members_or_imports_wins() {
    let library = "\
import sys
class One:
    def use(self): pass
class Two:
    def use(self): pass
class Thing:
    def make(self) -> One: pass
    def make(self) -> Two: pass
    @property
    def part(self) -> One: pass
    @part.setter
    def part(self, part: Two) -> Two: pass
    if sys.platform == 'win32':
        def lock(self) -> One: pass
    else:
        def lock(self) -> Two: pass
";
    check_calls(library, "import lib\ndef main(t: lib.Thing): t.make().use()\n", &["Thing.make", "Two.use"]);
    check_calls(library, "import lib\ndef main(t: lib.Thing): t.part.use()\n", &["One.use", "Thing.part"]);
    check_calls(library, "import lib\ndef main(t: lib.Thing): t.lock().use()\n", &["Thing.lock", "Two.use"]);
    let edges = edges(&[
        ("lib.py", library),
        ("one.py", "import lib\ndef make() -> lib.One: pass\n"),
        ("two.py", "import lib\ndef make() -> lib.Two: pass\n"),
        ("all.py", "from two import *\nfrom one import *\n"),
        (
            "main.py",
            "from one import *\nfrom two import *\nimport all\ndef main(): make().use()\ndef other(): all.make().use()\n",
        ),
    ]);
    assert!(edges.contains(&"main -calls-> Two.use".to_owned()), "{edges:?}");
    assert!(edges.contains(&"other -calls-> One.use".to_owned()), "{edges:?}");
}

#[test]
fn values_are_called_entered_and_indexed_by_their_methods() {
    let text = "class Model:
    def __init__(self, role): self.inner = Inner()
    def __call__(self, x): return self.inner(x)
    def __len__(self): return 1
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def __getitem__(self, key): return 1
class Inner:
    def __call__(self, x): return x
class Pool:
    async def __aenter__(self): pass
    async def __aexit__(self, *a): pass
def use():
    model = Model('b')
    return model(3)
def param(model: Model, key, plain):
    plain[key]
    len(plain)
    return model[key]
def ctx():
    with Model('c') as m, open('x') as f:
        return len(m)
async def pooled():
    async with Pool(): pass
";
    let calls = |from: &str| crate::resolve::tests::calls_from(&[("m.py", text)], from);
    assert_eq!(calls("use"), ["Model", "Model.__call__"]);
    assert_eq!(calls("Model.__call__"), ["Inner.__call__"]);
    assert_eq!(calls("param"), ["Model.__getitem__"]);
    assert_eq!(calls("ctx"), ["Model", "Model.__enter__", "Model.__exit__", "Model.__len__"]);
    assert_eq!(calls("pooled"), ["Pool", "Pool.__aenter__", "Pool.__aexit__"]);
}
