//! Views that frameworks render by a name without a folder or an ending, or by the name of what is running: Rails, Phoenix,
//! Express, Spring, Inertia.
//!
//! What is named here is a path that ends in `.*`: every file of the folder whose name begins so, such as
//! `app/views/users/index.html.erb` for `app/views/users/index.*`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::SourceFile;
use crate::facts::{DefId, FileFacts};
use crate::model::SymbolKind;
use crate::text::{file_name, parent_dir};

/// Calls that render a view: what follows the name of the call and, if one is named, the module or connection before it.
static RENDERED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?-u:\b)(?:render(?:_to_string|File|!)?|view|inertia)[ (]\s*(?:(@?[\w.]+),\s*)?(?::?(partial|template|action|layout)(?::|\s*=>)\s*)?[:"'`]([\w./-]+)"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Partials that code of Rails names by an option, wherever it is.
static PARTIALS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u:\b):?partial(?::|\s*=>)\s*["']([\w./-]+)["']"#).expect("a test uses the pattern")
});

/// Layouts that a class of Rails or a plug of Phoenix chooses.
static LAYOUTS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?:(?-u:\b)layout:?[ (]\s*["']([\w./-]+)["']|layout\([^\n]*\{\s*([\w.]+),\s*[:"]([\w.]+))"#;
    Regex::new(pattern).expect("a test uses the pattern")
});

/// Names of views that handlers of Spring return.
static RETURNED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?:return|ModelAndView\()\s*"([\w/-]+)""#).expect("a test uses the pattern"));

/// A view that a file names: the byte, or the definition, that names it, and its path.
pub struct View {
    pub at: Place,
    pub path: String,
}

/// The place that names a view.
pub enum Place {
    Byte(usize),
    Definition(DefId),
}

/// Returns the views that a file renders.
pub fn rendered(facts: &FileFacts, file: &SourceFile<'_>) -> Vec<View> {
    let (_, extension) = file_name(file.path).rsplit_once('.').unwrap_or_default();
    match extension {
        "builder" | "erb" | "haml" | "jbuilder" | "rb" | "slim" => of_rails(facts, file),
        "eex" | "ex" | "heex" | "leex" => of_phoenix(file),
        "cjs" | "js" | "mjs" | "php" | "py" | "ts" => of_others(file),
        "groovy" | "java" | "kt" => of_spring(file),
        _ => Vec::new(),
    }
}

/// Returns the text before and after a part of a path: the folder of an application and what is inside of its folder.
fn inside<'p>(path: &'p str, folder: &str) -> Option<(&'p str, &'p str)> {
    let at = path.find(folder).filter(|at| *at == 0 || path.as_bytes()[at - 1] == b'/')?;
    Some((&path[..at], &path[at + folder.len()..]))
}

fn add(views: &mut Vec<View>, at: usize, path: String) {
    views.push(View { at: Place::Byte(at), path });
}

/// Returns the views of Rails: of the actions of a controller or mailer by their names, its layout, and what is rendered.
fn of_rails(facts: &FileFacts, file: &SourceFile<'_>) -> Vec<View> {
    let class = ["app/controllers/", "app/mailers/"].iter().find_map(|folder| inside(file.path, folder));
    let own = class.and_then(|(root, rest)| {
        let name = rest.strip_suffix(".rb")?;
        Some((root, name.strip_suffix("_controller").unwrap_or(name).to_owned()))
    });
    let view = inside(file.path, "app/views/").map(|(root, rest)| (root, parent_dir(rest).to_owned()));
    let is_view = view.is_some();
    let mut views = Vec::new();
    let place = own.or(view);
    let root = place.as_ref().map(|(root, _)| *root).or_else(|| inside(file.path, "app/").map(|(root, _)| root));
    for found in root.into_iter().flat_map(|_| PARTIALS.captures_iter(file.text)) {
        let (Some(whole), Some(name)) = (found.get(0), found.get(1)) else { continue };
        let own = place.as_ref().map(|(_, folder)| folder.as_str());
        let (folder, base) = match name.as_str().rsplit_once('/') {
            Some((folder, base)) => (Some(folder), base),
            None => (own, name.as_str()),
        };
        if let (Some(root), Some(folder)) = (root, folder) {
            add(&mut views, whole.start(), partial(root, folder, base));
        }
    }
    let Some((root, folder)) = place else {
        add_component(facts, file, &mut views);
        return views;
    };
    if !is_view {
        for (id, definition) in DefId::sequence().zip(&facts.outline.definitions) {
            let name = facts.outline.names.get(definition.name);
            let path = match definition.kind {
                SymbolKind::Method => format!("{root}app/views/{folder}/{name}.*"),
                SymbolKind::Type => format!("{root}app/views/layouts/{folder}.*"),
                _ => continue,
            };
            views.push(View { at: Place::Definition(id), path });
        }
    }
    for found in RENDERED.captures_iter(file.text) {
        let (Some(whole), Some(name), None) = (found.get(0), found.get(3), found.get(1)) else { continue };
        let option = found.get(2).map(|option| option.as_str());
        let (inner, base) = name.as_str().rsplit_once('/').unwrap_or(("", name.as_str()));
        let folder = match (option, inner) {
            (Some("layout"), inner) => format!("layouts/{inner}"),
            (_, "") => folder.clone(),
            (_, inner) => inner.to_owned(),
        };
        let is_partial = option == Some("partial") || option.is_none() && is_view;
        let mark = if is_partial { "_" } else { "" };
        let base = base.split('.').next().unwrap_or(base);
        add(&mut views, whole.start(), format!("{root}app/views/{}/{mark}{base}.*", folder.trim_end_matches('/')));
    }
    for found in LAYOUTS.captures_iter(file.text) {
        if let (Some(whole), Some(name)) = (found.get(0), found.get(1)) {
            add(&mut views, whole.start(), format!("{root}app/views/layouts/{}.*", name.as_str()));
        }
    }
    views
}

/// Returns the path of a partial of Rails.
fn partial(root: &str, folder: &str, name: &str) -> String {
    format!("{root}app/views/{folder}/_{}.*", name.split('.').next().unwrap_or(name))
}

/// Adds the view beside a component of Rails.
fn add_component(facts: &FileFacts, file: &SourceFile<'_>, views: &mut Vec<View>) {
    let Some(path) = file.path.strip_suffix("_component.rb") else { return };
    let is_type = |id: &DefId| facts.outline.definitions[id.index()].kind == SymbolKind::Type;
    let mut types = DefId::sequence().take(facts.outline.definitions.len()).filter(is_type);
    views.extend(types.next().map(|id| View { at: Place::Definition(id), path: format!("{path}_component.*") }));
}

/// Returns the views of Phoenix that a controller, a view module or another view renders.
fn of_phoenix(file: &SourceFile<'_>) -> Vec<View> {
    let mut views = Vec::new();
    let Some(at) = file.path.find("_web/").map(|at| at + "_web/".len()) else { return views };
    let (root, rest) = file.path.split_at(at);
    let controller = rest.strip_prefix("controllers/").and_then(|rest| rest.strip_suffix("_controller.ex"));
    let module = rest.strip_prefix("views/").and_then(|rest| rest.strip_suffix("_view.ex"));
    let own = controller.or(module).or_else(|| rest.strip_prefix("templates/").map(parent_dir));
    for found in RENDERED.captures_iter(file.text) {
        let (Some(whole), Some(name)) = (found.get(0), found.get(3)) else { continue };
        let module = found.get(1).map(|module| module.as_str()).filter(|module| module.starts_with(char::is_uppercase));
        let folder = module.map(folder_of_module).or_else(|| own.map(str::to_owned));
        for path in folder.into_iter().flat_map(|folder| paths_of_phoenix(root, &folder, name.as_str())) {
            add(&mut views, whole.start(), path);
        }
    }
    for found in LAYOUTS.captures_iter(file.text) {
        let (Some(whole), Some(module), Some(name)) = (found.get(0), found.get(2), found.get(3)) else { continue };
        for path in paths_of_phoenix(root, &folder_of_module(module.as_str()), name.as_str()) {
            add(&mut views, whole.start(), path);
        }
    }
    if let Some(path) = file.path.strip_suffix("_live.ex").filter(|_| file.text.contains(":live_view")) {
        add(&mut views, 0, format!("{path}_live.*"));
    }
    views
}

/// Returns the paths that a view of Phoenix can have: before version 1.7, and since.
fn paths_of_phoenix(root: &str, folder: &str, name: &str) -> [String; 3] {
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    [
        format!("{root}templates/{folder}/{name}.*"),
        format!("{root}controllers/{folder}_html/{name}.*"),
        format!("{root}components/{folder}/{name}.*"),
    ]
}

/// Returns the folder of a module's views: `news_item` for `Web.NewsItemView`, `layouts` for `Web.Layouts`.
fn folder_of_module(module: &str) -> String {
    let last = module.rsplit('.').next().unwrap_or(module);
    let last = last.strip_suffix("View").or_else(|| last.strip_suffix("HTML")).unwrap_or(last);
    let mut folder = String::new();
    for letter in last.chars() {
        if letter.is_uppercase() && !folder.is_empty() {
            folder.push('_');
        }
        folder.extend(letter.to_lowercase());
    }
    folder
}

/// Returns the views that code names with or without their folders: Express (`res.render('list')`), Inertia.
fn of_others(file: &SourceFile<'_>) -> Vec<View> {
    let mut views = Vec::new();
    let is_method = |found: &Captures<'_>| {
        let start = found.get(0)?.start();
        file.text[..start].ends_with(['.', ':']).then_some(start)
    };
    for found in RENDERED.captures_iter(file.text) {
        let is_inertia = found.get(0).is_some_and(|whole| whole.as_str().starts_with("inertia"));
        let (Some(at), Some(name), None) = (is_method(&found).or(is_inertia.then_some(0)), found.get(3), found.get(2))
        else {
            continue;
        };
        // A name with its ending is a path, which is read as one.
        if !name.as_str().contains('.') && found.get(1).is_none() {
            for folder in ["views", "Pages", "pages", "templates"] {
                add(&mut views, at, format!("{folder}/{}.*", name.as_str()));
            }
        }
    }
    views
}

/// Returns the views that handlers of Spring return.
fn of_spring(file: &SourceFile<'_>) -> Vec<View> {
    let mut views = Vec::new();
    if file.text.contains("@Controller") {
        for found in RETURNED.captures_iter(file.text) {
            if let (Some(whole), Some(name)) = (found.get(0), found.get(1)) {
                for folder in ["templates", "views", "jsp"] {
                    add(&mut views, whole.start(), format!("{folder}/{}.*", name.as_str().trim_start_matches('/')));
                }
            }
        }
    }
    views
}

#[cfg(test)]
mod tests {
    use crate::lang::parser::parse;
    use crate::lang::{language_of, testing};
    use crate::resolve::tests::edges;

    #[track_caller]
    fn check(sources: &[(&str, &str)], expected: &[&str]) {
        let found =
            edges(sources).into_iter().filter(|edge| edge.edge_type == "references" && edge.target.contains('/'));
        let mut found: Vec<String> = found.map(|edge| format!("{} {}", edge.source, edge.target)).collect();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn actions_of_rails_render_the_views_of_their_names() {
        let controller = "class Admin::HatsController < Base\n layout 'plain'\n def index; end\n def save\n  # render :no\n\
            \x20 render(partial: 'row', layout: false)\n  @below = {partial: 'shared/cell'}\n end\nend";
        check(
            &[
                ("app/controllers/admin/hats_controller.rb", controller),
                ("app/controllers/application_controller.rb", "class ApplicationController\nend"),
                (
                    "app/helpers/hats_helper.rb",
                    "module HatsHelper\n def cell\n  render partial: 'shared/cell'\n end\nend",
                ),
                ("app/mailers/news_mailer.rb", "class NewsMailer\n def daily; end\nend"),
                ("app/components/card_component.rb", "class CardComponent\nend"),
                ("app/components/card_component.html.erb", "<%= 1 %>"),
                ("app/views/admin/hats/index.html.haml", "= render 'row'"),
                ("app/views/admin/hats/index.json.jbuilder", "json.x 1"),
                ("app/views/admin/hats/no.html.erb", "<%= 1 %>"),
                ("app/views/admin/hats/_row.html.erb", "<%= render 'shared/cell' %>"),
                ("app/views/shared/_cell.html.slim", "p"),
                ("app/views/layouts/application.html.erb", "<%= yield %>"),
                ("app/views/layouts/plain.html.erb", "<%= yield %>"),
                ("app/views/news_mailer/daily.text.erb", "<%= 1 %>"),
            ],
            &[
                "Admin.HatsController app/views/layouts/plain.html.erb",
                "Admin.HatsController.index app/views/admin/hats/index.html.haml",
                "Admin.HatsController.index app/views/admin/hats/index.json.jbuilder",
                "Admin.HatsController.save app/views/admin/hats/_row.html.erb",
                "Admin.HatsController.save app/views/shared/_cell.html.slim",
                "ApplicationController app/views/layouts/application.html.erb",
                "CardComponent app/components/card_component.html.erb",
                "HatsHelper.cell app/views/shared/_cell.html.slim",
                "NewsMailer.daily app/views/news_mailer/daily.text.erb",
                "app/views/admin/hats/_row.html.erb app/views/shared/_cell.html.slim",
                "app/views/admin/hats/index.html.haml app/views/admin/hats/_row.html.erb",
            ],
        );
    }

    #[test]
    fn phoenix_renders_templates_of_its_modules() {
        let controller = "defmodule ShopWeb.PageController do\n  def home(conn, _), do: render(conn, :home)\n\
            \x20 def old(conn, _) do\n    conn |> put_layout({ShopWeb.LayoutView, \"app.html\"}) |> render(\"old.html\", x: 1)\n  end\nend";
        check(
            &[
                ("lib/shop_web/controllers/page_controller.ex", controller),
                ("lib/shop_web/controllers/page_html/home.html.heex", "<p>"),
                ("lib/shop_web/templates/page/old.html.eex", "<%= render(ShopWeb.NewsItemView, \"_row.html\") %>"),
                ("lib/shop_web/templates/news_item/_row.html.eex", "<%= 1 %>"),
                ("lib/shop_web/templates/layout/app.html.eex", "<%= 1 %>"),
            ],
            &[
                "ShopWeb.PageController.home lib/shop_web/controllers/page_html/home.html.heex",
                "ShopWeb.PageController.old lib/shop_web/templates/layout/app.html.eex",
                "ShopWeb.PageController.old lib/shop_web/templates/page/old.html.eex",
                "lib/shop_web/templates/page/old.html.eex lib/shop_web/templates/news_item/_row.html.eex",
            ],
        );
    }

    #[test]
    fn names_without_folders_are_those_of_views() {
        let spring = "@Controller class Pages { String list() { return \"users/list\"; } }";
        check(
            &[
                ("app.js", "function home(req, res) { res.render('home', {}); res.send(view('other')) }"),
                ("server/views/home.ejs", "<%- include('parts/head') %>"),
                ("server/views/parts/head.ejs", "<p>"),
                ("server/views/other.ejs", "<p>"),
                ("src/main/java/Pages.java", spring),
                ("src/main/resources/templates/users/list.html", "{{ x }}"),
                ("views/a.pug", "extends b\n"),
                ("views/b.pug", "p x\n"),
            ],
            &[
                "Pages.list src/main/resources/templates/users/list.html",
                "home server/views/home.ejs",
                "server/views/home.ejs server/views/parts/head.ejs",
                "views/a.pug views/b.pug",
            ],
        );
    }

    #[test]
    fn hostile_views_end() {
        let many = "render :a, ".repeat(20_000);
        for text in
            ["render", "render :", "render(\"", "layout '", "return \"", "@Controller return \"/\"", &many, "render 'é"]
        {
            for path in
                ["app/controllers/a_controller.rb", "x_web/controllers/a_controller.ex", "a.js", "A.java", "a.haml"]
            {
                let facts = parse(language_of(path).expect("a language"), path, text.as_bytes());
                assert!(facts.map_or(0, |facts| facts.code.signals.len()) <= 60_000);
            }
        }
        assert!(testing::parse("a.js", "res.render(name)").code.signals.is_empty());
    }
}
