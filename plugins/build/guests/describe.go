package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// describe asks a guest for its manifest. It serves only what sdk/plugin imports and confines nothing: the guests are
// this repository's own. The sandbox of the host would make every change of the host a reason to build all guests.
func describe(ctx context.Context, module []byte) ([]byte, error) {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	var manifest, complaint []byte
	failed := false
	_, err := r.NewHostModuleBuilder("extism:host/env").
		NewFunctionBuilder().WithFunc(func() uint64 { return 0 }).Export("input_length").
		NewFunctionBuilder().WithFunc(func(uint64) uint64 { return 1 }).Export("alloc").
		NewFunctionBuilder().WithFunc(func(_ uint64, b uint32) {
		complaint = append(complaint, byte(b))
	}).Export("store_u8").
		NewFunctionBuilder().WithFunc(func(uint64) { failed = true }).Export("error_set").
		Instantiate(ctx)
	if err != nil {
		return nil, err
	}
	_, err = r.NewHostModuleBuilder("stategate:host").
		NewFunctionBuilder().WithFunc(func(uint32) {}).Export("input_read").
		NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, from, length uint32) {
		text, _ := m.Memory().Read(from, length)
		manifest = append([]byte{}, text...)
	}).Export("output_write").
		Instantiate(ctx)
	if err != nil {
		return nil, err
	}
	m, err := r.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		return nil, err
	}
	export := m.ExportedFunction("describe")
	if export == nil {
		return nil, errors.New("the guest exports no describe")
	}
	switch _, err := export.Call(ctx); {
	case err != nil:
		return nil, err
	case failed || len(manifest) == 0:
		return nil, fmt.Errorf("describe failed: %s", complaint)
	}
	return manifest, nil
}
