#!/usr/bin/env bash
# Runs the gate on the checked-out commit. It reads the environment variables ARGS, BASE, FORMAT, POLICY_FROM, SARIF and SUMMARY,
# which action.yml describes. It writes the outputs exit-code, gate and sarif, and exits with stategate's exit code.
set -uo pipefail
ARGS=${ARGS:-}

finish() {
  local gate
  case $1 in
  0) gate=open ;;
  1) gate=closed ;;
  3) gate=incomplete ;;
  *) gate=unknown ;;
  esac
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf '%s\n' "exit-code=$1" "gate=$gate" >>"$GITHUB_OUTPUT"
    if [ -n "${SARIF:-}" ] && [ -f "$SARIF" ]; then
      printf 'sarif=%s\n' "${WORKING_DIRECTORY:-.}/$SARIF" >>"$GITHUB_OUTPUT"
    fi
  fi
  exit "$1"
}

# A line break in a name would add outputs.
if [[ "${SARIF:-}${WORKING_DIRECTORY:-}" == *$'\n'* ]]; then
  echo "stategate: sarif and working-directory must be one line each" >&2
  SARIF='' && finish 2
fi
# Trust only the result in this file: --help among the arguments also exits with 0.
scratch=$(mktemp -d) || finish 3
trap 'rm -rf "$scratch"' EXIT
args=(check --rev HEAD "--base=${BASE:-auto}" "--format=$FORMAT" --report "json=$scratch/verdict.json")
# Check what a change touches, but everything on the default branch.
case ${GITHUB_EVENT_NAME:-} in pull_request* | merge_group) args+=(--changed) ;; esac
policy=()
if [ -n "${POLICY_FROM:-}" ]; then policy=("--policy-from=$POLICY_FROM"); fi
args+=(${policy[@]+"${policy[@]}"}) # an empty list is unset for the bash of macOS
if [ -n "${SARIF:-}" ]; then args+=(--report "sarif=$SARIF"); fi
if [ -n "${ARGS//[[:space:]]/}" ]; then
  words=$(xargs printf '%s\n' <<<"$ARGS") || finish 2
  while IFS= read -r word; do args+=("$word"); done <<<"$words"
fi
# check opens no socket, so fetch pinned plugins first.
stategate plugin sync ${policy[@]+"${policy[@]}"} >&2 || finish $?
stategate "${args[@]}"
code=$?
if [ "${SUMMARY:-false}" = true ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  stategate status --rev HEAD --all --format markdown ${policy[@]+"${policy[@]}"} >>"$GITHUB_STEP_SUMMARY" || {
    status=$?
    [ $code != 0 ] || code=$status # a summary without runs is not an open gate
  }
fi
if [ $code = 0 ] && [ ! -s "$scratch/verdict.json" ]; then
  echo "stategate: nothing was checked: found no verdict, expected one; remove from args what only prints, such as --help" >&2
  code=2
fi
finish $code
