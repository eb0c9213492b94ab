package main

import (
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stategate/stategate/testdata/registry"
)

// startRegistry starts a registry on the loopback interface for the rest of the script: "registry" sets $REGISTRY to
// host:port.
func startRegistry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: registry")
	}
	r := registry.New()
	ts.Defer(r.Close)
	ts.Setenv("REGISTRY", r.Listener.Addr().String())
	registries.Store(ts, r)
	ts.Defer(func() { registries.Delete(ts) })
}

// registries maps each running *testscript.TestScript to its registry.
var registries sync.Map

// publish serves a file: "publish FILE /PATH".
func publish(ts *testscript.TestScript, neg bool, args []string) {
	r, ok := registries.Load(ts)
	if neg || len(args) != 2 || !ok {
		ts.Fatalf("usage: publish FILE /PATH, after registry")
	}
	r.(*registry.Registry).Publish(args[1], []byte(ts.ReadFile(args[0])))
}
