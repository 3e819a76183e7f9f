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

/// Returns what may use a file without naming it, as a clause. No file is used only by those that name it.
pub fn user(path: &str) -> &'static str {
    let name = file_name(path);
    let is_in = |folder: &str| {
        path.match_indices(folder).any(|(at, _)| at == 0 || path.as_bytes()[at - 1] == b'/' || folder.starts_with('_'))
    };
    let folder = FOLDERS.iter().find(|(folder, _)| is_in(folder));
    let named = || NAMES.iter().find(|(start, _)| name.starts_with(start));
    match folder.or_else(named) {
        Some((_, user)) => user,
        None => "frameworks, tools and people use files by their places",
    }
}

#[cfg(test)]
mod tests {
    use super::user;

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
