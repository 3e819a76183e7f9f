//! Tests of the sections of documents.

use super::{Section, is_document, notebook, sections};

/// Returns each section as `first-last heading (ancestors): summary; cites`.
fn outline(path: &str, text: &str) -> Vec<String> {
    let line = |section: &Section| {
        let Section { heading, ancestors, start_line, end_line, summary, cites, .. } = section;
        let place = format!("{start_line}-{end_line} {heading} ({})", ancestors.join(" > "));
        format!("{place}: {summary}; {}", cites.join(" "))
    };
    sections(path, text).iter().map(line).collect()
}

#[test]
fn markdown_sections_have_texts_nesting_and_citations() {
    let text = "---\ntitle: \"The Shop\"\n---\nIntro of the shop.\n\n# Deploying `App.run`\n\nRun it behind a proxy. Then \
                rest; see `create_app()` and plainName.\n\n```python\nserve(app)\n# not a heading\n```\n\n## To production\n\n\
                Setext\n------\n- `shop --port`\n- `x`\n";
    let expected = [
        "1-5 The Shop (): Intro of the shop.; ",
        "6-14 Deploying App.run (): Run it behind a proxy.; App.run create_app plainName",
        "15-16 To production (Deploying App.run): ; ",
        "17-20 Setext (Deploying App.run): shop --port x; ",
    ];
    assert_eq!(outline("docs/deploy.md", text), expected);
    let code = &sections("docs/deploy.md", text)[1].code;
    assert!(code.contains("serve(app)"), "{code}");
}

#[test]
fn restructured_sections_have_texts_nesting_and_citations() {
    let text = "Before all.\n\n=======\nThe Shop\n=======\n";
    assert_eq!(outline("a.rst", text)[0], "1-5 a.rst (): Before all.; ", "the line above is too short");
    let text = ".. _shop:\n\n========\nThe Shop\n========\n\nSells things with :meth:`~shop.Cart.add`, ``cart`` and `text \
                <total>`.\n\nDeploying\n=========\n\nRun this::\n\n    serve --now\n\nMore\n----\n\n.. autofunction:: \
                create_app(name)\n   :noindex:\n\n.. code-block:: python\n\n   app.start()\n\nLast\n====\n";
    let expected = [
        "3-8 The Shop (): Sells things with shop.Cart.add, cart and text .; Cart.add cart total",
        "9-15 Deploying (The Shop): Run this; ",
        "16-25 More (The Shop > Deploying): ; create_app",
        "26-27 Last (The Shop): ; ",
    ];
    assert_eq!(outline("docs/index.rst", text), expected);
    assert!(sections("docs/index.rst", text)[2].code.contains("app.start()"));
}

#[test]
fn ascii_doc_sections() {
    let text =
        "= Shop\n:toc:\n\nSells things.\n\n== Deploying\n\nRun `create_app`.\n\n----\n== code\n----\n=== Deep\nx y\n";
    let expected = [
        "1-5 Shop (): Sells things.; ",
        "6-12 Deploying (Shop): Run create_app.; create_app",
        "13-14 Deep (Shop > Deploying): x y; ",
    ];
    assert_eq!(outline("a.adoc", text), expected);
}

#[test]
fn documents_are_known_by_name_and_folder() {
    for (folder, name) in [("", "README.md"), ("docs/adr", "0001-a.md"), ("Docs/", "ref.txt"), ("a", "b.RST")] {
        assert!(is_document(folder, name), "{folder} {name}");
    }
    for (folder, name) in [
        ("", "requirements.txt"),
        ("", "CHANGELOG.md"),
        ("docs", "LICENSE.rst"),
        ("", "a.py"),
        ("docs/releases", "1.0.txt"),
        ("docs", "2026-news.md"),
    ] {
        assert!(!is_document(folder, name), "{folder} {name}");
    }
    assert!(sections("docs/requirements.txt", "flask==1.0\nclick\n").is_empty(), "a text without headings is data");
    assert!(sections("a.md", "").is_empty());
}

#[test]
fn hostile_texts_have_bounded_sections() {
    let many = "# a\n".repeat(9_000);
    assert_eq!(sections("a.md", &many).len(), 4_999);
    let long = format!("# {}\n{}\n", "é".repeat(500), "word ".repeat(60_000));
    let one = &sections("a.md", &long)[0];
    assert!(one.heading.len() <= 170 && one.prose.len() <= 64 << 10 && one.summary.len() <= 150);
    for text in [
        "``` \n",
        "`",
        "===\n",
        "a\n===\n===\n",
        ":`\n::\n\n  x",
        "- [ ](<",
        "\u{0}# \r\n=",
        "..\n\n.. ::\n",
        "é\n==\n",
    ] {
        for path in ["a.md", "a.rst", "a.adoc"] {
            sections(path, text);
        }
    }
}

#[test]
fn notebooks_have_code_and_sections_on_their_lines() {
    let text = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Loading\n",
    "\n",
    "Reads the prices with `read_prices`."
   ]
  },
  {
   "cell_type": "code",
   "outputs": [{"text": ["x"]}],
   "source": [
    "%matplotlib inline\n",
    "def read_prices(path):\n",
    "    return \"é\" + path"
   ]
  },
  {
   "cell_type": "code",
   "source": [
    "%%bash\n",
    "ls"
   ]
  }
 ],
 "metadata": {"kernelspec": {"language": "python"}}
}
"##;
    let expected = ["7-30 Loading (): Reads the prices with read_prices.; read_prices"];
    assert_eq!(outline("a.ipynb", text), expected);
    let code = notebook::code("a.ipynb", text).expect("a notebook");
    assert_eq!(code.len(), text.len());
    let written: Vec<(usize, &str)> =
        (1..).zip(code.lines().map(str::trim_end)).filter(|(_, line)| !line.is_empty()).collect();
    assert_eq!(written, [(17, "def read_prices(path):"), (18, "    return \"é\" + path")]);
    assert_eq!(notebook::code("a.ipynb", &code), None, "it is Python already");
    assert_eq!(notebook::code("a.py", text), None);
}
