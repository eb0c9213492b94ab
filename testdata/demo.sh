#!/bin/sh
# Shows the gate over two sample repositories, one open and one closed.
# Usage: demo.sh STATEGATE. Exits 0 if the gate has the expected results.
set -u

bin=$1
case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
here=$(cd "$(dirname "$0")" && pwd)
now=2026-03-12T16:00:00Z # the day after the last session

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

show() { # show WANTED-CODE MEANING ARGS…
	wanted=$1 meaning=$2
	shift 2
	printf '\n$ stategate %s\n' "$*"
	"$bin" "$@"
	code=$?
	if [ "$code" = "$wanted" ]; then
		printf '[exit %s: %s]\n' "$code" "$meaning"
	else
		printf '[exit %s, expected %s: %s]\n' "$code" "$wanted" "$meaning"
		failed=1
	fi
}

enter() { # enter TREE: a copy of it in a git repository of its own
	cp -R "$here/trees/$1" "$dir/$1" && cd "$dir/$1" && git init -q . || exit 1
}

echo 'Two repositories whose code reviews leave their state in .ocr/sessions.'
echo
echo '1. In the first one every state file tells the truth.'
enter open
show 0 'the gate is open: a commit or merge may pass' check --now "$now"
show 0 'status only shows' status --now "$now"

echo
echo '2. In the second one a review was finished without its state file saying so,'
echo '   another claims a third round that nobody began, and a third state file is'
echo '   cut off in the middle.'
enter closed
show 1 'the gate is closed: a pre-commit hook or a CI job stops here' check --now "$now"
show 0 'status shows the phase that the files prove' status --now "$now"

echo
echo '3. A plugin that cannot run never passes as clean.'
echo 'no plugin at all' >"$dir/broken.wasm"
show 3 'some state could not be checked; the findings about the rest are listed' \
	check --now "$now" --plugin ocr --plugin "$dir/broken.wasm" .ocr/sessions/2026-03-11-fix-token-refresh

echo
if [ "$failed" = 0 ]; then
	echo 'The demo behaves as it should.'
else
	echo 'The demo does not behave as it should.'
fi
exit "$failed"
