package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/worker"
)

func (a *app) cacheCommand() *cobra.Command {
	c := &cobra.Command{Use: "cache", Short: "Prepare the cache of compiled plugins"}
	group(c)
	c.AddCommand(a.warmCommand())
	return c
}

func (a *app) warmCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "warm [NAME|FILE.wasm]...",
		Short:             "Compile plugins before they are needed",
		ValidArgsFunction: a.workflows(filesToo),
		RunE:              func(c *cobra.Command, args []string) error { return a.warm(c, args) },
	}
}

func (a *app) warm(c *cobra.Command, named []string) error {
	p, err := a.usablePluginsHere(c, named)
	if err != nil {
		return err
	}
	config := a.workers(limits.Default(), false)
	if config.CacheDir == "" {
		return fault.Newf(fault.IO, "there is no cache: %s", a.env.noCache)
	}
	pool, err := worker.NewPool(config)
	if err != nil {
		return err
	}
	defer pool.Close()
	for _, one := range p.list {
		if f := pool.Compile(c.Context(), worker.Plugin{SHA256: one.SHA256(), Wasm: one.Wasm}); f != nil {
			f.Message = one.Name + ": " + f.Message
			err = errors.Join(err, f)
		} else {
			err = errors.Join(err, a.say("%s %s: compiled", one.Name, one.Manifest.Version))
		}
	}
	return err
}
