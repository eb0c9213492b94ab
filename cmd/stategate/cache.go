package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/worker"
)

func cacheCommand(a *app) *cobra.Command {
	c := &cobra.Command{Use: "cache", Short: "Prepare the plugin cache"}
	group(c)
	c.AddCommand(warmCommand(a))
	return c
}

func warmCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "warm [NAME|FILE]...",
		Short:             "Compile plugins in advance",
		ValidArgsFunction: workflowWords(a, filesToo),
		RunE:              func(c *cobra.Command, args []string) error { return warm(c.Context(), a, args) },
	}
}

func warm(ctx context.Context, a *app, named []string) error {
	p, err := usablePluginsHere(ctx, a, named)
	if err != nil {
		return err
	}
	config := ownWorkers(a, false)
	if config.CacheDir == "" {
		return fault.Newf(fault.IO, "no plugin cache is available: %s", a.env.noCache)
	}
	pool, err := worker.NewPool(config)
	if err != nil {
		return err
	}
	defer pool.Close()
	for _, one := range p.list {
		if f := pool.Compile(ctx, worker.Plugin{SHA256: one.Code(), Size: one.Size, Wasm: one.Wasm}); f != nil {
			f.Message = one.Name + ": " + f.Message
			err = errors.Join(err, f)
		} else {
			err = errors.Join(err, a.say("%s %s: compiled", one.Name, one.Manifest.Version))
		}
	}
	return err
}

// ownWorkers configures workers for plugins that are called outside of a check.
func ownWorkers(a *app, noCache bool) worker.Config {
	o := hostOptions(a, noCache)
	return o.Workers()
}
