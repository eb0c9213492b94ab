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
	Name   string
	Origin string // where it comes from: a path, or "built in"
	Pinned string // where a configuration pins its digest; "" if none does
	// the GitHub repository that was found to have built it, as OWNER/NAME; "" where none was asked for
	Attested     string
	Size         int // of the .wasm file, in bytes
	Manifest     *wire.Manifest
	ManifestText []byte

	digest func() string
	code   string // see Declared
	wasm   func() []byte
}

// Wasm returns the .wasm file. A built-in plugin is unpacked at its first use.
func (p *Plugin) Wasm() []byte { return p.wasm() }

// SHA256 returns the hex digest of the .wasm file, or of the text that declares the workflow.
func (p *Plugin) SHA256() string { return p.digest() }

// IsDeclared reports whether a text declares the workflow.
func (p *Plugin) IsDeclared() bool { return p.code != "" }

// Code returns a hex digest that stands for what runs: that of the .wasm file, or one of the guest and the text.
func (p *Plugin) Code() string {
	if p.code != "" {
		return p.code
	}
	return p.digest()
}

// ReadPlugin reads the manifest of a plugin and refuses what can be refused without compiling. digest is the hex
// SHA-256 of wasm, or "" to have it computed when it is needed. The error is a *fault.Failure.
func ReadPlugin(origin string, wasm []byte, digest string, lim limits.Limits) (*Plugin, error) {
	if _, err := wasmfile.Check(wasm, lim); err != nil {
		return nil, err
	}
	text, err := wasmfile.Manifest(wasm, lim.Manifest)
	if err != nil {
		return nil, err
	}
	p, err := Built(origin, text, digest, len(wasm), func() []byte { return wasm })
	if err != nil {
		return nil, err
	}
	if digest == "" {
		p.digest = sync.OnceValue(func() string { return Digest(wasm) })
	}
	if err := p.Manifest.Validate(); err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest of %s is refused: %v", origin, err)
	}
	return p, nil
}

// Built is a plugin whose manifest is at hand and was checked when it was built into this program: every start reads
// all of them. wasm returns the .wasm file, of size bytes.
func Built(origin string, manifest []byte, digest string, size int, wasm func() []byte) (*Plugin, error) {
	m, err := wire.DecodeManifest(manifest)
	if err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest of %s cannot be read: %v", origin, err)
	}
	return &Plugin{Name: m.Name, Origin: origin, Size: size, Manifest: m, ManifestText: manifest, wasm: wasm,
		digest: func() string { return digest }}, nil
}

// Declared is a plugin that a text declares, with a manifest that a worker made of it. digest is the hex SHA-256 of the
// text. code is another one, which stands for the text and the guest that runs it. wasm returns both as one file, of
// about size bytes. The error is a *fault.Failure.
func Declared(origin string, manifest []byte, digest, code string, size int, wasm func() []byte) (*Plugin, error) {
	p, err := Built(origin, manifest, digest, size, wasm)
	if err != nil {
		return nil, err
	}
	p.code = code
	if err := p.Manifest.Validate(); err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest of %s is refused: %v", origin, err)
	}
	return p, nil
}

// Digest returns the hex SHA-256 of some bytes.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
