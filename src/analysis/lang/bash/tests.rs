//! Tests of Bash's extraction and resolution.

use crate::facts::{Signal, SignalKind};
use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges};

const LIB: &str =
    "#!/bin/bash\n# Helpers.\n\n# Says hi.\nhi() { echo hi; }\nfunction help { hi; }\nreadonly A=1 B=2\nA=3\n";

#[test]
fn functions_and_constants_are_definitions() {
    assert_eq!(
        outline("lib.sh", LIB),
        ["function hi: hi()", "function help: function help", "const A: readonly A=1 B=2", "const B: readonly A=1 B=2"]
    );
    let facts = parse("lib.sh", LIB);
    assert_eq!((&*facts.outline.doc, &*facts.outline.definitions[0].doc), ("Helpers.", "Says hi."));
}

#[test]
fn commands_call_functions_of_sourced_and_near_files() {
    let main =
        "source \"$(dirname \"$0\")/lib.sh\"\ngo() { local x=$(hi a); if grep b; then \"run\"; fi; trap far EXIT; }\n";
    let sources = [("a/lib.sh", LIB), ("a/main.sh", main), ("b/x.sh", "far() { hi; }")];
    assert_eq!(calls_from(&sources, "go"), ["far", "hi"]);
    let imports = edges(&sources).into_iter().filter(|edge| edge.edge_type == "imports");
    assert_eq!(imports.map(|edge| edge.target).collect::<Vec<_>>(), ["a/lib.sh"]);
}

#[test]
fn tests_of_bats_have_their_commands() {
    let test = "load lib\n@test \"says hi\" {\n  run hi\n}\n@test 'helps' {\n  help\n}\n";
    let sources = [("lib.bash", LIB), ("t.bats", test)];
    assert_eq!(calls_from(&sources, "says hi"), ["hi"]);
    assert_eq!(calls_from(&sources, "helps"), ["help"]);
    let facts = parse("t.bats", test);
    let span = facts.outline.definitions[0].span;
    assert!(facts.outline.definitions[0].flags.is_test && (span.start_line, span.end_line) == (2, 4));
}

#[test]
fn a_path_with_several_variables_is_sourced() {
    let library = "greet() { echo hi; }";
    for path in ["$A/$B/lib.sh", "${A}/$B/lib.sh", "$A/x/${B}/lib.sh", "$(dirname \"$0\")/$B/lib.sh"] {
        let main = format!("source \"{path}\"\nrun() {{ greet; }}");
        let sources = [("tools/x/lib.sh", library), ("main.sh", &*main), ("other/far.sh", library)];
        let edges = crate::resolve::tests::edges(&sources);
        assert!(edges.iter().any(|edge| edge.edge_type == "imports" && edge.target == "tools/x/lib.sh"), "{path}");
    }
}

#[test]
fn scripts_run_others_and_read_the_environment() {
    let deploy = "go() { ./lib/build.sh --all; make -C web; echo \"${PORT:-80} ${1:-x} ${lower:-x} $HOME\"; }\n";
    let sources = [("ci/deploy.sh", deploy), ("ci/lib/build.sh", "echo b"), ("other/lib/build.sh", "echo c")];
    let runs = edges(&sources).into_iter().filter(|edge| edge.edge_type == "executes_process");
    assert_eq!(
        runs.map(|edge| (edge.source, edge.target)).collect::<Vec<_>>(),
        [("go".into(), "ci/lib/build.sh".into())]
    );
    let facts = parse("ci/deploy.sh", deploy);
    let read = |signal: &Signal| match signal.kind {
        SignalKind::ReadsEnv(name) => Some(facts.outline.names.get(name)),
        _ => None,
    };
    assert_eq!(facts.code.signals.iter().filter_map(read).collect::<Vec<_>>(), ["PORT"]);
}
