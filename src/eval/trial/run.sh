#!/bin/sh
# sh run ID 'COMMAND': runs one command in the task's repository, prints what it prints, and logs it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
task=$1
shift
log=$here/logs/$task.tsv
folder=$(cat "$here/../../folders/$task") || exit 2
if [ -f "$log" ] && [ "$(wc -l <"$log")" -ge CALLS ]; then
    echo "no calls are left for $task: write the answer"
    exit 3
fi
start=$(date +%s%3N)
output=$(cd "$folder" && PATH="$here/../tools" /usr/bin/timeout 60 /bin/sh -c "$*" 2>&1 </dev/null | head -c 30000)
took=$(($(date +%s%3N) - start))
printf '%s\n' "$output"
command=$(printf '%s' "$*" | tr '\n\t' '  ')
printf '%s\t%s\t%s\t%s\n' "$start" "$took" "$(printf '%s\n' "$output" | wc -m)" "$command" >>"$log"
