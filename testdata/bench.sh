#!/bin/sh
# Prints guest sizes, whole-process times, peak memory and Go benchmarks. Usage: bench.sh STATEGATE.
set -eu

bin=$1
go=${GO:-go}
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."

echo '== sizes (bytes)'
for file in plugins/build/*.wasm "$bin"; do
	printf '%10d  %s\n' "$(wc -c <"$file")" "$file"
done

echo
echo '== whole process'
"$go" run ./testdata/bench "$bin" ${OLD:+"$OLD"}

echo
echo '== Go benchmarks'
"$go" test -run '^$' -bench . -benchtime "${BENCHTIME:-200ms}" -benchmem \
	./sdk/... ./host/... ./plugins/... ./cmd/stategate-lsp
