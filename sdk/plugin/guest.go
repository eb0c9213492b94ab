//go:build wasip1

package plugin

import (
	"runtime"

	"github.com/stategate/stategate/sdk/internal/run"
	"github.com/stategate/stategate/sdk/wire"
)

// Main does nothing: a host calls a plugin's exports.
func Main() {}

// abi marks the program as a plugin of ABI 1; hosts look for the export and never call it.
//
//go:wasmexport stategate_abi_1
func abi() {}

//go:wasmexport describe
func describe() int32 {
	if err := served.Complete(); err != nil { // other checks are in tests, because they would make every guest larger
		fail(err.Error())
		return 1
	}
	output(wire.EncodeManifest(served.Manifest()))
	return 0
}

// waiting is the state of the last call if it asked for paths, or nil.
var waiting *run.Waiting

//go:wasmexport examine
func examine() int32 {
	waiting = nil
	text := input()
	collect(len(text))
	request, err := wire.DecodeRequest(text)
	if err != nil {
		fail("read the request: " + err.Error())
		return 1
	}
	var report *wire.Report
	report, waiting = run.Begin(served, request)
	output(wire.EncodeReport(report))
	return 0
}

// since is the number of request bytes since the last garbage collection.
var since int

// collect collects the garbage of earlier calls, some two megabytes, while almost nothing is in use. The runtime
// would start a collection in the middle of a call and continue it for dozens or hundreds of calls, because it
// paces itself by a clock that never advances here. Collecting between calls saves an eighth of a call's time, and
// prevents an instance from growing to 60 MB at times.
func collect(request int) {
	if since += request; since > 1<<19 {
		since = 0
		runtime.GC()
	}
}

//go:wasmexport answer
func answer() int32 {
	w := waiting
	waiting = nil
	if w == nil {
		fail("the last call did not ask for anything")
		return 1
	}
	now, then, err := wire.DecodeAnswers(input(), w.Ask)
	if err != nil {
		fail("read the answers: " + err.Error())
		return 1
	}
	output(wire.EncodeReport(w.Answer(now, then)))
	return 0
}
