#!/bin/sh
# Makes seeds/ranking.toml, and measures it in five folds of projects: model.sh TASKS SOURCES WORK
#
# TASKS has commits/*.jsonl.gz, issues.jsonl.gz, documents/*.jsonl.gz and development/*.yaml; SOURCES has the folders
# commits, issues, documents and development with the sources that they are about, as ../TRAINING.md says. Indexes and
# feature values are written to WORK.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tasks=$1 sources=$2 work=$3
mkdir -p "$work/documents"
"$here/sections.py" "$here/documents.tsv" "$tasks/documents" "$work/documents"
features() { # NAME TASKFILE...
    name=$1
    shift
    mkdir -p "$work/databases/$name"
    knowing-eval features "$@" --corpus "$sources/$name" --databases "$work/databases/$name" -o "$work/$name.features"
}
features commits "$tasks"/commits/*.jsonl.gz
features issues "$tasks/issues.jsonl.gz"
features documents "$work"/documents/*.jsonl.gz
features development "$tasks"/development/*.yaml
knowing-eval fit "$work"/*.features -o "$here/../../../seeds/ranking.toml" --folds 5
