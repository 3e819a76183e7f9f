//! Labels: the shortest names that tell the repositories of a workspace apart.
//!
//! A label is also the first part of paths in output. So none is the beginning of another followed by a slash.

/// Returns a label for each repository, given its id and the label that the user chose. Without a choice it is as many
/// of the id's last parts as are needed.
///
/// # Errors
/// The position of a repository whose chosen label can't be used, and the reason.
pub fn labels(repositories: &[(&str, Option<&str>)]) -> Result<Vec<String>, (usize, String)> {
    for (position, (_, chosen)) in repositories.iter().enumerate() {
        if let Some(chosen) = chosen {
            check(chosen).map_err(|text| (position, text))?;
            if repositories[..position].iter().any(|(_, other)| other == &Some(*chosen)) {
                return Err((position, format!("another repository has the name {chosen} already")));
            }
        }
    }
    let mut parts = vec![1; repositories.len()];
    loop {
        let labels: Vec<String> = (repositories.iter().zip(&parts))
            .map(|((id, chosen), parts)| chosen.map_or_else(|| last_parts(id, *parts), str::to_owned))
            .collect();
        let mut is_longer = false;
        for (position, (id, chosen)) in repositories.iter().enumerate() {
            let is_ambiguous =
                |(other, label): (usize, &String)| other != position && overlap(&labels[position], label);
            let can_grow = chosen.is_none() && parts[position] < id.split('/').count();
            if can_grow && labels.iter().enumerate().any(is_ambiguous) {
                parts[position] += 1;
                is_longer = true;
            }
        }
        if !is_longer {
            return distinct(labels);
        }
    }
}

/// Returns the labels if none overlaps with another.
fn distinct(labels: Vec<String>) -> Result<Vec<String>, (usize, String)> {
    for (position, label) in labels.iter().enumerate() {
        if let Some(other) = labels[..position].iter().find(|other| overlap(label, other)) {
            return Err((position, format!("{label} and {other} can't be told apart; give one a name")));
        }
    }
    Ok(labels)
}

/// Returns whether a path below one label can be one below the other.
fn overlap(one: &str, other: &str) -> bool {
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('/'));
    one == other || begins(one, other) || begins(other, one)
}

/// Returns the last parts of a repository's id.
fn last_parts(id: &str, count: usize) -> String {
    let parts: Vec<&str> = id.split('/').collect();
    parts[parts.len().saturating_sub(count)..].join("/")
}

fn check(label: &str) -> Result<(), String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.@+".contains(letter);
    match label {
        "" => Err("the name is empty".to_owned()),
        "." | ".." => Err(format!("the name can't be {label}")),
        _ if label.chars().all(is_plain) => Ok(()),
        _ => Err(format!("the name {} may have letters, digits and - _ . @ +", label.escape_debug())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_labels(repositories: &[(&str, Option<&str>)], expected: &[&str]) {
        assert_eq!(labels(repositories).unwrap(), expected);
    }

    #[test]
    fn labels_are_as_short_as_possible() {
        check_labels(&[("github.com/pallets/flask", None), ("shop", None)], &["flask", "shop"]);
        let pair = [("github.com/a/api", None), ("github.com/b/api", None), ("example.org/web", None)];
        check_labels(&pair, &["a/api", "b/api", "web"]);
        check_labels(
            &[("github.com/a/api", None), ("gitlab.com/a/api", None)],
            &["github.com/a/api", "gitlab.com/a/api"],
        );
        check_labels(&[("github.com/a/api", Some("one")), ("github.com/b/api", None)], &["one", "api"]);
    }

    #[test]
    fn no_label_is_a_folder_of_another() {
        let three = [("x.org/a/api", None), ("x.org/b/api", None), ("x.org/c/a", None)];
        check_labels(&three, &["x.org/a/api", "b/api", "c/a"]);
    }

    #[test]
    fn names_that_can_not_be_used_are_errors() {
        assert_eq!(labels(&[("a", Some("x/y"))]).unwrap_err().0, 0);
        assert_eq!(labels(&[("a", Some("x")), ("b", Some("x"))]).unwrap_err().0, 1);
        assert_eq!(labels(&[("x", None), ("b", Some("x"))]).unwrap_err().0, 1);
        assert_eq!(labels(&[("a", Some(""))]).unwrap_err().1, "the name is empty");
    }
}
