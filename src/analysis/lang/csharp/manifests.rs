//! Packages in the project files of .NET.

use crate::lang::manifest::Packages;
use crate::resolve::input::Manifest;
use crate::text::file_name;

/// Adds the packages of a project file, or of the central list of versions. A project's assembly has the name of its
/// file unless it has another.
pub fn add_project(manifest: &Manifest, packages: &mut Packages) {
    let text = manifest.text.as_str();
    for element in text.split('<').skip(1) {
        let element = element.split('>').next().unwrap_or_default();
        let (name, attributes) = element.split_once(char::is_whitespace).unwrap_or((element, ""));
        match name {
            "PackageReference" | "PackageVersion" => {
                if let Some(package) = attribute(attributes, "Include") {
                    packages.require(package);
                }
            }
            "FrameworkReference" => {
                if let Some(package) = attribute(attributes, "Include") {
                    packages.require(package);
                }
            }
            // `<Project Sdk="Microsoft.NET.Sdk.Web">`
            "Project" => {
                if let Some(sdk) = attribute(attributes, "Sdk") {
                    packages.require(sdk);
                }
            }
            _ => {}
        }
    }
    let named = ["<PackageId>", "<AssemblyName>"].map(|opening| {
        let (_, rest) = text.split_once(opening)?;
        // `$(TargetName)` is a property.
        rest.split('<').next().map(str::trim).filter(|name| !name.contains('$'))
    });
    let of_file = file_name(&manifest.path).strip_suffix(".csproj");
    match named {
        [None, None] => of_file.into_iter().for_each(|name| packages.define(name)),
        named => named.into_iter().flatten().for_each(|name| packages.define(name)),
    }
}

/// A directive in a project file: a namespace, a type whose static members are in scope, or another name for a type.
pub struct Using<'t> {
    pub path: &'t str,
    pub alias: Option<&'t str>,
}

/// Returns the directives of a project file, which hold for all files of the project.
pub fn usings(text: &str) -> impl Iterator<Item = Using<'_>> {
    let mut is_comment = false;
    text.split('<').skip(1).filter_map(move |element| {
        let is_skipped = is_comment || element.starts_with("!--");
        is_comment = is_skipped && !element.contains("-->");
        let attributes = element.strip_prefix("Using").filter(|rest| rest.starts_with(char::is_whitespace))?;
        let path = attribute(attributes, "Include").filter(|_| !is_skipped)?.trim();
        Some(Using { path, alias: attribute(attributes, "Alias") })
    })
}

fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_require_packages() {
        let mut packages = Packages::default();
        let text = r#"<Project Sdk="Microsoft.NET.Sdk.Web">
            <PropertyGroup><PackageId>Shop.Core</PackageId></PropertyGroup>
            <ItemGroup>
                <PackageReference Include="Newtonsoft.Json" Version="13.0.1" />
                <PackageReference Include="xunit"><PrivateAssets>all</PrivateAssets></PackageReference>
            </ItemGroup>
        </Project>"#;
        add_project(&Manifest { path: "src/Core/Core.csproj".to_owned(), text: text.to_owned() }, &mut packages);
        let required: Vec<&str> = packages.required.iter().map(String::as_str).collect();
        assert_eq!(required, ["Microsoft.NET.Sdk.Web", "Newtonsoft.Json", "xunit"]);
        assert_eq!(packages.defined.first().map(String::as_str), Some("Shop.Core"));
    }

    #[test]
    fn projects_have_directives() {
        let text = r#"<Project><ItemGroup>
            <Using Include="App.Core" />
            <!-- <Using Include="Old" /> -->
            <Using Include="App.Core.Row" Alias="R" /><Using Remove="System" />
        </ItemGroup></Project>"#;
        let found: Vec<_> = usings(text).map(|using| (using.path, using.alias)).collect();
        assert_eq!(found, [("App.Core", None), ("App.Core.Row", Some("R"))]);
    }

    #[test]
    fn projects_are_named_after_their_files() {
        let mut packages = Packages::default();
        let text = "<Project Sdk=\"Microsoft.NET.Sdk\"><AssemblyName>$(Name)</AssemblyName></Project>".to_owned();
        add_project(&Manifest { path: "src/Shop.Web.csproj".to_owned(), text: text.clone() }, &mut packages);
        add_project(&Manifest { path: "Directory.Packages.props".to_owned(), text }, &mut packages);
        assert_eq!(packages.defined.iter().map(String::as_str).collect::<Vec<_>>(), ["Shop.Web"]);
    }
}
