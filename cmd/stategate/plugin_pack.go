package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/guest"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/pack"
	"github.com/stategate/stategate/sdk/wire"
)

func (a *app) packVerb() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "pack FILE.wasm",
		Short: "Write the manifest into a plugin of any language",
		Long: `pack asks the plugin for its manifest, once and in the sandbox, and writes it
into the file's custom section "` + wire.Section + `", where hosts look for it.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm")),
		RunE: func(c *cobra.Command, args []string) error {
			wasm, err := readWasm(args[0], limits.Default())
			if err != nil {
				return err
			}
			packed, err := a.packed(c.Context(), args[0], wasm)
			if err != nil {
				return err
			}
			if output == "" {
				output = args[0]
			}
			return a.keep(output, packed)
		},
	}
	c.Flags().StringVar(&output, "output", "", "write to `FILE.wasm` (default: the same file)")
	completeFlag(c, "output", files("wasm"))
	return c
}

// packed asks a guest for its manifest, writes it into the file and reads the
// file as a host would.
func (a *app) packed(ctx context.Context, name string, wasm []byte) (*plugin.Plugin, error) {
	lim := limits.Default()
	if _, err := wasmfile.Check(wasm, lim); err != nil {
		return nil, failed(name, fault.From(err, fault.ABI))
	}
	manifest, err := guest.Describe(ctx, name, wasm, a.workers(lim, false))
	if err != nil {
		return nil, failed("describe "+name, fault.From(err, fault.Protocol))
	}
	whole, err := pack.WithManifest(wasm, manifest)
	if err != nil {
		return nil, failed(name, fault.From(err, fault.Compile))
	}
	p, err := plugin.ReadPlugin(name, whole, "", lim)
	if err != nil {
		return nil, failed(name, fault.From(err, fault.ABI))
	}
	return p, nil
}

// keep writes a plugin and says what was written.
func (a *app) keep(path string, p *plugin.Plugin) error {
	if err := atomicfile.Write(path, p.Wasm, 0o666); err != nil {
		return brokenf("write %s: %v", path, err)
	}
	return a.printed(print.Lines(a.stdout, "", "    ",
		fmt.Sprintf("%s: %s %s, %d bytes, sha256 %s", path, p.Name, p.Manifest.Version, len(p.Wasm), p.SHA256())))
}
