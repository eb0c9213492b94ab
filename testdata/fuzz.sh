#!/bin/sh
# Runs every fuzz target for a while. Usage: fuzz.sh DURATION [PACKAGE…].
# Exits 1 if one of them finds something, after all have run.
set -u

time=$1
shift
[ $# -gt 0 ] || set -- ./...
go=${GO:-go}
failed=

for package in $("$go" list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' "$@"); do
	for target in $("$go" test -list '^Fuzz' "$package" | grep '^Fuzz'); do
		echo "== $package $target"
		# By default a fuzzer minimises every input for a minute, and finds nothing meanwhile.
		"$go" test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x "$package" || failed="$failed $package:$target"
	done
done

if [ -n "$failed" ]; then
	echo "failed:$failed" >&2
	exit 1
fi
