# The package for Nix: `nix profile install .` in a checkout, or `callPackage` of this file.
{
  lib,
  rustPlatform,
  installShellFiles,
}:
rustPlatform.buildRustPackage {
  pname = "knowing";
  version = (builtins.fromTOML (builtins.readFile ../../Cargo.toml)).workspace.package.version;
  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  buildFeatures = [ "full" ];
  cargoBuildFlags = [
    "--bin"
    "knowing"
  ];
  # The tests need git, a terminal and a home folder; `.ci/run` has run them.
  doCheck = false;
  nativeBuildInputs = [ installShellFiles ];
  postInstall = ''
    $out/bin/knowing man > knowing.1
    installManPage knowing.1
    for shell in bash zsh fish; do $out/bin/knowing completions $shell > knowing.$shell; done
    installShellCompletion knowing.bash knowing.fish --zsh --name _knowing knowing.zsh
  '';
  meta = {
    description = "Given a task in plain words: which symbols of this repository matter, and why";
    license = [
      lib.licenses.mit
      lib.licenses.asl20
    ];
    mainProgram = "knowing";
  };
}
