//go:build wasip1

package plugin

import (
	"github.com/stategate/stategate/sdk/internal/run"
	"github.com/stategate/stategate/sdk/wire"
)

// Main does nothing: a plugin is called through its exports.
func Main() {}

// abi marks the program as a plugin of ABI 1; hosts look for the export and never call it.
//
//go:wasmexport stategate_abi_1
func abi() {}

//go:wasmexport describe
func describe() int32 {
	output(wire.EncodeManifest(served.Manifest()))
	return 0
}

//go:wasmexport examine
func examine() int32 {
	request, err := wire.DecodeRequest(input())
	if err != nil {
		fail("read the request: " + err.Error())
		return 1
	}
	output(wire.EncodeReport(run.Examine(served, request)))
	return 0
}
