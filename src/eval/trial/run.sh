#!/bin/sh
# sh run.sh ARM TASK 'COMMAND': runs one command in the task's repository, prints what it prints, and logs it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
arm=$1
task=$2
shift 2
folder=$(cat "$here/folders/$task") || exit 2
mkdir -p "$here/logs/$arm"
start=$(date +%s%3N)
output=$(cd "$folder" && sh -c "$*" 2>&1 </dev/null | head -c 30000)
took=$(($(date +%s%3N) - start))
printf '%s\n' "$output"
printf '%s\t%s\t%s\n' "$took" "${#output}" "$(printf '%s' "$*" | tr '\n\t' '  ')" >>"$here/logs/$arm/$task.tsv"
