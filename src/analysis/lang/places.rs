//! Files that frameworks and tools use by their places, without a line that names them.

use crate::text::file_name;

/// Users of files in folders, by a part of their paths. The first that fits counts.
const FOLDERS: &[(&str, &str)] = &[
    ("app/views/layouts/", "Rails renders layouts by their places"),
    ("app/views/", "Rails renders views by their places"),
    ("_web/templates/", "Phoenix renders templates by their places"),
    ("_html/", "Phoenix renders templates by their places"),
    ("_web/components/layouts/", "Phoenix renders layouts by their places"),
    ("resources/views/components/", "Laravel renders components by their places"),
    ("management/commands/", "Django runs commands by their places"),
    ("templatetags/", "Django loads tags by their places"),
    ("migrations/", "migrations are run by their places"),
    ("db/migrate/", "migrations are run by their places"),
    (".github/workflows/", "GitHub runs workflows by their places"),
    ("config/initializers/", "Rails loads initializers by their places"),
    ("config/environments/", "Rails loads environments by their places"),
    ("lib/tasks/", "Rake loads tasks by their places"),
    ("bin/", "people run programs by their places"),
];

/// Users of files by the beginnings of their names.
const NAMES: &[(&str, &str)] = &[
    ("+page", "SvelteKit serves pages by their places"),
    ("+layout", "SvelteKit renders layouts by their places"),
    ("+server", "SvelteKit serves routes by their places"),
    ("page.", "Next.js serves pages by their places"),
    ("layout.", "Next.js renders layouts by their places"),
    ("route.", "Next.js serves routes by their places"),
    ("conftest.", "pytest loads this file by its place"),
    ("Dockerfile", "Docker reads this file by its place"),
    ("Makefile", "make reads this file by its place"),
    ("action.y", "GitHub runs actions by their places"),
    ("index.", "a folder stands for this file"),
    ("__init__.", "a folder stands for this file"),
];

/// Users of what files define for others, by a folder around them and the beginnings of their names.
const EXPORTS: &[(&str, &str, &str)] = &[
    ("", "+page", "SvelteKit runs what pages export"),
    ("", "+layout", "SvelteKit runs what layouts export"),
    ("", "+server", "SvelteKit runs what routes export"),
    ("", "hooks.client.", "SvelteKit runs hooks by their places"),
    ("", "hooks.server.", "SvelteKit runs hooks by their places"),
    ("app/", "page.", "Next.js runs what pages export"),
    ("app/", "layout.", "Next.js runs what layouts export"),
    ("app/", "route.", "Next.js runs what routes export"),
    ("pages/api/", "", "Next.js serves routes by their places"),
    ("migrations/", "", "migrations are run by their places"),
    ("db/migrate/", "", "migrations are run by their places"),
    ("management/commands/", "", "Django runs commands by their places"),
];

/// Users of functions by their names, or by beginnings that end in `_`.
const HOOKS: &[(&str, &str)] = &[
    ("generateMetadata", "Next.js calls it by its name"),
    ("generateStaticParams", "Next.js calls it by its name"),
    ("getServerSideProps", "Next.js calls it by its name"),
    ("getStaticPaths", "Next.js calls it by its name"),
    ("getStaticProps", "Next.js calls it by its name"),
    ("pytest_", "pytest calls hooks by their names"),
    ("setup_class", "test runners call it by its name"),
    ("setup_function", "test runners call it by its name"),
    ("setup_method", "test runners call it by its name"),
    ("setup_module", "test runners call it by its name"),
    ("teardown_class", "test runners call it by its name"),
    ("teardown_function", "test runners call it by its name"),
    ("teardown_method", "test runners call it by its name"),
    ("teardown_module", "test runners call it by its name"),
];

/// Returns what may use a definition that a file at this path has for others, as a clause; `None` if nothing is known that
/// would by its place.
pub fn user_of_export(path: &str) -> Option<&'static str> {
    let name = file_name(path);
    let is_of = |(folder, start, _): &&(&str, &str, &str)| {
        name.starts_with(start) && (folder.is_empty() || is_in(path, folder))
    };
    EXPORTS.iter().find(is_of).map(|(.., user)| *user)
}

/// Returns what calls functions of this name, as a clause; `None` if nothing is known that would.
pub fn user_of_hook(name: &str) -> Option<&'static str> {
    let is_of = |(hook, _): &&(&str, &str)| name == *hook || hook.ends_with('_') && name.starts_with(hook);
    HOOKS.iter().find(is_of).map(|(_, user)| *user)
}

/// Returns whether a path has a folder, which can be the end of a name if it begins with `_`.
fn is_in(path: &str, folder: &str) -> bool {
    path.match_indices(folder).any(|(at, _)| at == 0 || path.as_bytes()[at - 1] == b'/' || folder.starts_with('_'))
}

/// Returns what may use a file without naming it, as a clause. No file is used only by those that name it.
pub fn user(path: &str) -> &'static str {
    let name = file_name(path);
    let folder = FOLDERS.iter().find(|(folder, _)| is_in(path, folder));
    let named = || NAMES.iter().find(|(start, _)| name.starts_with(start));
    match folder.or_else(named) {
        Some((_, user)) => user,
        None => "frameworks, tools and people use files by their places",
    }
}

#[cfg(test)]
mod tests {
    use super::{user, user_of_export, user_of_hook};

    #[test]
    fn hooks_are_whole_names_or_beginnings() {
        assert!(user_of_hook("pytest_configure").is_some() && user_of_hook("setup_class").is_some());
        assert_eq!([user_of_hook("setup_classroom"), user_of_hook("generateMetadataFor")], [None; 2]);
    }

    #[test]
    fn exports_have_the_users_of_their_places() {
        for (path, start) in [
            ("app/api/x/route.ts", "Next.js"),
            ("web/app/page.tsx", "Next.js"),
            ("src/routes/+page.server.js", "SvelteKit"),
            ("src/hooks.server.js", "SvelteKit"),
            ("migrations/versions/a1_x.py", "migrations"),
        ] {
            assert!(user_of_export(path).is_some_and(|user| user.starts_with(start)), "{path}");
        }
        for path in ["src/page.ts", "myapp/route.ts", "src/hooks.ts", "src/index.ts", "bin/tool.py"] {
            assert_eq!(user_of_export(path), None, "{path}");
        }
    }

    #[test]
    fn places_have_users() {
        for (path, start) in [
            ("app/views/layouts/application.html.erb", "Rails renders layouts"),
            ("engines/x/app/views/a/b.html.haml", "Rails renders views"),
            ("lib/shop_web/controllers/page_html/home.html.heex", "Phoenix"),
            ("src/routes/+page.svelte", "SvelteKit"),
            ("shop/migrations/0001_initial.py", "migrations"),
            ("mapp/views/x.txt", "frameworks"),
            ("tools/once.py", "frameworks"),
        ] {
            assert!(user(path).starts_with(start), "{path}: {}", user(path));
        }
    }
}
