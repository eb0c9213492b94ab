// Package plugin reads a plugin: its bytes and its manifest. The packages below it run one.
package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/sdk/wire"
)

// A Plugin is one .wasm file with its manifest. Reading it runs no code.
type Plugin struct {
	Name         string
	Origin       string // where it comes from: a path, or "built in"
	Wasm         []byte
	Manifest     *wire.Manifest
	ManifestText []byte

	digest func() string
}

// SHA256 returns the hex digest of the .wasm file.
func (p *Plugin) SHA256() string { return p.digest() }

// ReadPlugin reads the manifest of a plugin and refuses what can be refused without compiling. digest is the hex
// SHA-256 of wasm, or "" to have it computed when it is needed. The error is a *fault.Failure.
func ReadPlugin(origin string, wasm []byte, digest string, lim limits.Limits) (*Plugin, error) {
	if _, err := wasmfile.Check(wasm, lim); err != nil {
		return nil, err
	}
	p, err := ReadChecked(origin, wasm, digest, lim)
	if err != nil {
		return nil, err
	}
	if err := p.Manifest.Validate(); err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest of %s is refused: %v", origin, err)
	}
	return p, nil
}

// ReadChecked is ReadPlugin for a plugin that was checked when it was built into this
// program: every start reads all of them.
func ReadChecked(origin string, wasm []byte, digest string, lim limits.Limits) (*Plugin, error) {
	text, err := wasmfile.Manifest(wasm, lim.Manifest)
	if err != nil {
		return nil, err
	}
	m, err := wire.DecodeManifest(text)
	if err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest of %s cannot be read: %v", origin, err)
	}
	p := &Plugin{Name: m.Name, Origin: origin, Wasm: wasm, Manifest: m, ManifestText: text}
	p.digest = sync.OnceValue(func() string { return Digest(wasm) })
	if digest != "" {
		p.digest = func() string { return digest }
	}
	return p, nil
}

// Digest returns the hex SHA-256 of some bytes.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
