//! Packages in the build files of Maven and Gradle, as coordinates `group:artifact`. Kotlin and Scala use them too.

use std::sync::LazyLock;

use crate::lang::manifest::{PackagePatterns, Packages};
use crate::resolve::input::Manifest;

/// Adds the artifact that a `pom.xml` defines, and its parent and dependencies. An inherited group is the parent's.
pub fn read_pom(manifest: &Manifest, packages: &mut Packages) {
    let mut path: Vec<&str> = Vec::new();
    let (mut own, mut parent, mut dependency) = (Coordinate::default(), Coordinate::default(), Coordinate::default());
    let mut required: Vec<Coordinate> = Vec::new();
    let text = without_comments(&manifest.text);
    for piece in text.split('<').skip(1) {
        let (tag, content) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) => {
                if path.pop() == Some("dependency") && name == "dependency" {
                    required.push(std::mem::take(&mut dependency));
                }
                continue;
            }
            None if tag.ends_with('/') || tag.starts_with(['?', '!']) => continue,
            None => path.push(name),
        }
        let target = match path.as_slice() {
            ["project", _] => &mut own,
            ["project", "parent", _] => &mut parent,
            [.., "dependencies", "dependency", _] if !path.contains(&"plugin") => &mut dependency,
            _ => continue,
        };
        match name {
            "groupId" => target.group = content.trim(),
            "artifactId" => target.artifact = content.trim(),
            _ => {}
        }
    }
    if own.group.is_empty() {
        own.group = parent.group;
    }
    if let Some(name) = own.name(&own) {
        packages.define(&name);
    }
    let others = required.iter().chain([&parent]).filter_map(|coordinate| coordinate.name(&own));
    others.for_each(|name| packages.require(&name));
}

/// The group and artifact of a package; the text is as written.
#[derive(Debug, Default, Clone, Copy)]
struct Coordinate<'t> {
    group: &'t str,
    artifact: &'t str,
}

impl Coordinate<'_> {
    /// Returns `group:artifact`, with the group of the project for a reference to it; `None` if it is incomplete or
    /// has other variables.
    fn name(&self, own: &Coordinate<'_>) -> Option<String> {
        let group = match self.group {
            "${project.groupId}" | "${pom.groupId}" | "${groupId}" => own.group,
            group => group,
        };
        let is_name = |text: &str| !text.is_empty() && !text.contains('$');
        (is_name(group) && is_name(self.artifact)).then(|| format!("{group}:{}", self.artifact))
    }
}

/// Returns an XML text without its comments.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    kept + rest
}

static GRADLE: LazyLock<PackagePatterns> = LazyLock::new(|| {
    PackagePatterns::new(
        &[
            // `group = 'org.apache.kafka'` of a project, `group=org.apache.kafka` of its properties
            // The group of a task, `group = "Verification"`, has no dot.
            r#"(?m)^\s*(?:project\.)?(?:group|GROUP)\s*=?\s*["']?([A-Za-z][\w-]*\.[\w.-]*)["']?\s*$"#,
            // `rootProject.name = 'kafka'`
            r#"rootProject\.name\s*=\s*["']([\w.-]+)["']"#,
        ],
        &[
            // `implementation("org.slf4j:slf4j-api:2.0")`, `module = "org.slf4j:slf4j-api"`
            r#"["']([A-Za-z][\w.-]*):([A-Za-z][\w.-]*)(?::[^"'\s/]*)?["']"#,
            // `group: 'org.slf4j', name: 'slf4j-api'`
            r#"group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']"#,
        ],
    )
});

/// Adds the group and name that a Gradle build, its settings or its properties define, and its dependencies.
pub fn read_gradle(manifest: &Manifest, packages: &mut Packages) {
    GRADLE.read(&manifest.text, packages);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(read: fn(&Manifest, &mut Packages), text: &str) -> (Vec<String>, Vec<String>) {
        let mut packages = Packages::default();
        read(&Manifest { path: String::new(), text: text.to_owned() }, &mut packages);
        (packages.defined.into_iter().collect(), packages.required.into_iter().collect())
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn maven_projects() {
        let text = r#"<?xml version="1.0"?>
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId></parent>
              <!-- <groupId>no.such</groupId> -->
              <groupId>com.shop</groupId> <artifactId>orders</artifactId>
              <dependencies>
                <dependency><groupId>${project.groupId}</groupId><artifactId>prices</artifactId>
                  <exclusions><exclusion><groupId>a</groupId><artifactId>b</artifactId></exclusion></exclusions></dependency>
                <dependency><groupId>junit</groupId><artifactId>junit</artifactId><optional/></dependency>
              </dependencies>
              <build><plugins><plugin><groupId>c</groupId><artifactId>d</artifactId>
                <dependencies><dependency><groupId>e</groupId><artifactId>f</artifactId></dependency></dependencies>
              </plugin></plugins></build>
            </project>"#;
        let required = ["com.shop:prices", "junit:junit", "org.springframework.boot:spring-boot-starter-parent"];
        assert_eq!(read(read_pom, text), (names(&["com.shop:orders"]), names(&required)));
        let text = "<project><parent><groupId>com.shop</groupId><artifactId>all</artifactId></parent>\
                    <artifactId>web</artifactId></project>";
        assert_eq!(read(read_pom, text), (names(&["com.shop:web"]), names(&["com.shop:all"])));
        assert_eq!(read(read_pom, "<project><groupId>a"), (names(&[]), names(&[])));
    }

    #[test]
    fn gradle_builds() {
        let text = "group = 'com.shop'\nversion = \"1.0\"\ntask docs {\n  group = 'Documentation'\n}\nrepositories { maven { url 'https://repo.example:8080/x' } }\n\
                    dependencies {\n  implementation project(':core')\n  implementation \"org.slf4j:slf4j-api:$slf4j\"\n  \
                    testImplementation(group: 'junit', name: 'junit', version: '4')\n}\n";
        let required = ["junit:junit", "org.slf4j:slf4j-api"];
        assert_eq!(read(read_gradle, text), (names(&["com.shop"]), names(&required)));
        let text = "okhttp = { module = \"com.squareup.okhttp3:okhttp\", version.ref = \"okhttp\" }\n\
                    junit = { group = \"junit\", name = \"junit\", version = \"4\" }\n";
        let required = ["com.squareup.okhttp3:okhttp", "junit:junit"];
        assert_eq!(read(read_gradle, text), (names(&[]), names(&required)));
        assert_eq!(read(read_gradle, "group=org.shop\nversion=1.0\n").0, names(&["org.shop"]));
        assert_eq!(read(read_gradle, "rootProject.name = 'shop'\ninclude 'core'\n").0, names(&["shop"]));
    }
}
