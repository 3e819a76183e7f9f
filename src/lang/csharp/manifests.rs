//! Packages in the project files of .NET.

use crate::lang::manifest::Packages;

/// Adds the packages of a project file, or of the central list of versions.
pub fn add_project(text: &str, packages: &mut Packages) {
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
    for name in ["PackageId", "AssemblyName"] {
        let opening = format!("<{name}>");
        if let Some((_, rest)) = text.split_once(opening.as_str()) {
            packages.define(rest.split('<').next().unwrap_or_default().trim());
        }
    }
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
        add_project(text, &mut packages);
        let required: Vec<&str> = packages.required.iter().map(String::as_str).collect();
        assert_eq!(required, ["Microsoft.NET.Sdk.Web", "Newtonsoft.Json", "xunit"]);
        assert_eq!(packages.defined.first().map(String::as_str), Some("Shop.Core"));
    }
}
