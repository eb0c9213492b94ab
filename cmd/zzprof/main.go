package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/collect"
	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/sandbox"
	"github.com/stategate/stategate/host/tree"
	"github.com/stategate/stategate/sdk/snapshot"
)

func main() {
	wasm, _ := os.ReadFile(os.Args[1])
	p, err := host.ReadPlugin("x", wasm, limits.Default())
	if err != nil {
		panic(err)
	}
	specs, _ := collect.Compile(p.Manifest.Documents)
	wt, _ := tree.OpenWorktree("/tmp/e2k")
	c := &collect.Collector{Tree: wt, Limits: collect.DefaultLimits(limits.Default())}
	roots, _ := filepath.Glob("/tmp/e2k/.ocr/sessions/*")
	ctx := context.Background()
	var payloads [][]byte
	f, _ := os.Create("/tmp/collect.prof")
	pprof.StartCPUProfile(f)
	t := time.Now()
	for _, r := range roots {
		rel, _ := filepath.Rel("/tmp/e2k", r)
		in, err := c.Read(ctx, specs, rel)
		if err != nil {
			panic(err)
		}
		j := examine.Job{Manifest: p.ManifestText, Input: snapshot.Input{Root: rel, Name: filepath.Base(rel), Now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC), Files: in.Files}}
		b, _ := j.Payload()
		payloads = append(payloads, b)
	}
	pprof.StopCPUProfile()
	fmt.Println("collect+encode", time.Since(t), len(payloads[0]))
	e := sandbox.Open(sandbox.Config{Limits: limits.Default(), CacheDir: "/tmp/zzcache"})
	g, err := e.Load(ctx, wasm, "")
	if err != nil {
		panic(err)
	}
	ex := examine.New()
	var inCall time.Duration
	call := func(export string, input []byte) ([]byte, error) {
		t := time.Now()
		out, err := g.Call(ctx, export, input)
		inCall += time.Since(t)
		return out, err
	}
	f, _ = os.Create("/tmp/examine.prof")
	pprof.StartCPUProfile(f)
	t = time.Now()
	var replies [][]byte
	for _, b := range payloads {
		r, err := ex.Run(ctx, call, b)
		if err != nil {
			panic(err)
		}
		replies = append(replies, r)
	}
	fmt.Println("examine", time.Since(t), "in call", inCall, len(replies[0]))
	pprof.StopCPUProfile()
	t = time.Now()
	for _, r := range replies {
		_, err := examine.DecodeReply(r)
		if err != nil {
			panic(err)
		}
	}
	fmt.Println("decode", time.Since(t))
}
