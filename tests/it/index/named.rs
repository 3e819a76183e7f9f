//! Edges to what a text names in a file of any language: scripts, targets, templates, variables of the environment.

use knowing_analysis::model::EdgeType;

use super::incremental::{check, run, write};
use super::rpc::edges;

const WORKFLOW: &str = "on: push
jobs:
  release:
    runs-on: ubuntu-latest
    env:
      API_KEY: x
    steps:
      - uses: ./.github/workflows/build.yml
      - run: |
          make dist
          ./scripts/release.sh --all
      - run: npm run build
        working-directory: web
";

/// Files that name others.
const USERS: &[(&str, &str)] = &[
    (".github/workflows/release.yml", WORKFLOW),
    (
        "app.py",
        "import os\nimport subprocess\n\ndef page():\n    return render_template('shop/page.html', key=os.environ['API_KEY'])\n\n\
         def release():\n    subprocess.run(['bash', 'scripts/release.sh'])\n",
    ),
    ("app/controllers/hats_controller.rb", "class HatsController\n  def index; end\nend\n"),
    ("web/card.jsx", "export const Card = () => <p className=\"card__head none\">a</p>;\n"),
    ("scripts/all.sh", "echo ${API_KEY:?}\nmake -C .. dist\n"),
];

/// Files that are named.
const NAMED: &[(&str, &str)] = &[
    ("Makefile", "dist:\n\t./scripts/release.sh\n"),
    ("scripts/release.sh", "echo release\n"),
    ("web/package.json", "{\"scripts\": {\"build\": \"node build.mjs\"}}\n"),
    ("web/build.mjs", "console.log(1)\n"),
    ("templates/shop/page.html", "{% extends 'base.html' %}\n"),
    ("templates/base.html", "{{ title }}\n"),
    (".env.example", "API_KEY=\n"),
    ("web/main.scss", ".card { &__head { color: var(--ink) } }\n"),
    ("app/views/hats/index.html.erb", "<p>Hats</p>\n"),
];

#[test]
fn what_is_named_may_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    USERS.iter().for_each(|(path, text)| write(&root.join(path), text));
    run(&root, &database, 2);
    let runs = || -> Vec<String> {
        let all = edges(&database, EdgeType::ExecutesProcess).into_iter();
        all.filter(|edge| !edge.ends_with(":bash")).collect()
    };
    assert_eq!(runs(), [""; 0]);
    for (path, text) in NAMED {
        write(&root.join(path), text);
        run(&root, &database, 2);
        check(&root, &database, 2, path);
    }
    let expected = [
        ".github/workflows/release.yml:release -> Makefile:dist",
        ".github/workflows/release.yml:release -> scripts/release.sh:release.sh",
        ".github/workflows/release.yml:release -> web/package.json:build",
        "Makefile:dist -> scripts/release.sh:release.sh",
        "app.py:release -> scripts/release.sh:release.sh",
        "scripts/all.sh:all.sh -> Makefile:dist",
        "web/package.json:build -> web/build.mjs:build.mjs",
    ];
    assert_eq!(runs(), expected);
    assert!(
        edges(&database, EdgeType::References)
            .contains(&"templates/shop/page.html:page.html -> templates/base.html:base.html".to_owned())
    );
    let ask = |arguments: &[&str]| {
        let arguments = [&["--db", database.to_str().unwrap()], arguments].concat();
        crate::cli::stdout(&crate::cli::run_in(&root, &arguments))
    };
    let callers = ask(&["callers", "scripts/release.sh"]);
    assert!(callers.contains("3 symbols") && callers.contains("runs, line 11"), "{callers}");
    let callers = ask(&["callers", "API_KEY"]);
    for user in ["page", "all.sh", ".env.example", "release"] {
        assert!(callers.contains(user), "{user}: {callers}");
    }
    let callers = ask(&["callers", "templates/shop/page.html"]);
    assert!(callers.contains("page") && callers.contains("app.py:4"), "{callers}");
    let callers = ask(&["callers", "app/views/hats/index.html.erb"]);
    assert!(callers.contains("HatsController.index") && callers.contains("line 2"), "{callers}");
    let callers = ask(&["callers", ".card__head"]);
    assert!(callers.contains("sets, line 1") && callers.contains("Card "), "{callers}");
    assert!(!ask(&["callers", "style:.none"]).contains("card.jsx"));
    for (path, _) in NAMED {
        std::fs::remove_file(root.join(path)).unwrap();
        run(&root, &database, 2);
        check(&root, &database, 2, path);
    }
    assert_eq!(runs(), [""; 0]);
}

/// A framework or a person may use a file without a line that names it.
#[test]
fn no_file_is_certainly_unused() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("app/views/layouts/plain.html.erb"), "<%= yield %>\n");
    write(&root.join("app/models/hat.rb"), "class Hat\n  def fit; end\nend\n");
    write(&root.join("app/models/shop.rb"), "class Shop\n  def sell; Hat.new.fit; end\nend\n");
    run(&root, &database, 2);
    for (file, note) in [
        ("app/views/layouts/plain.html.erb", "Rails renders layouts by their places"),
        ("app/models/hat.rb", "code of other files uses what it defines"),
        ("app/models/shop.rb", "use files by their places"),
    ] {
        let arguments = ["--db", database.to_str().unwrap(), "callers", file];
        let callers = crate::cli::stdout(&crate::cli::run_in(&root, &arguments));
        assert!(callers.contains("none known") && callers.contains(note), "{callers}");
    }
}

#[test]
fn operations_lead_to_handlers_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    let described = "paths:\n  /hats/{id}:\n    get:\n      operationId: getHat\n    delete:\n      summary: x\n";
    write(&root.join("openapi.yaml"), described);
    run(&root, &database, 2);
    let routes = "@app.get('/hats/<int:id>')\ndef read(id):\n    return 1\n\n@app.delete('/hats/<int:id>')\ndef drop(id):\n    return 1\n";
    write(&root.join("app.py"), &format!("from flask import Flask\napp = Flask('x')\n\n{routes}"));
    run(&root, &database, 2);
    check(&root, &database, 2, "app.py");
    let ask = |arguments: &[&str]| {
        let arguments = [&["--db", database.to_str().unwrap()], arguments].concat();
        crate::cli::stdout(&crate::cli::run_in(&root, &arguments))
    };
    assert!(ask(&["callees", "getHat"]).contains("read "));
    assert!(ask(&["callers", "read"]).contains("getHat"));
    assert!(ask(&["callers", "drop"]).contains("DELETE /hats/{id}"));
    assert!(ask(&["symbol", "GET /hats/:number"]).contains("app.py"));
}

/// That no edge leads to a script is no proof that nothing runs it.
#[test]
fn a_script_that_a_text_names_is_not_without_callers() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("scripts/release.sh"), "echo release\n");
    write(&root.join("cron.txt"), "0 4 * * * /srv/app/scripts/release.sh\n");
    run(&root, &database, 2);
    let arguments = ["--db", database.to_str().unwrap(), "callers", "scripts/release.sh"];
    let callers = crate::cli::stdout(&crate::cli::run_in(&root, &arguments));
    assert!(callers.contains("none known") && callers.contains("1 line has `release.sh`"), "{callers}");
}
