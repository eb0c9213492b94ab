// Package plugin reads a plugin: its bytes and its manifest. The packages below it run plugins.
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
	Origin string // a path, or "built in"
	Pinned string // the location in a configuration that pins its digest; "" if there is none
	// Attested is the GitHub repository, as OWNER/NAME, that was verified to have built the plugin. It is
	// "" if no verification was requested.
	Attested     string
	Size         int // of the .wasm file, in bytes
	Manifest     *wire.Manifest
	ManifestText []byte

	digest func() string
	code   string // see Declared
	wasm   func() []byte
}

// Wasm returns the .wasm file. A built-in plugin is decompressed on first use.
func (p *Plugin) Wasm() []byte { return p.wasm() }

// SHA256 returns the hex digest of the .wasm file, or of the text that declares the workflow.
func (p *Plugin) SHA256() string { return p.digest() }

// IsDeclared reports whether the plugin is a declaration, not a module.
func (p *Plugin) IsDeclared() bool { return p.code != "" }

// Code returns a hex digest of the code that runs: the digest of the .wasm file or, for a declaration, a
// combined digest of the guest and the text.
func (p *Plugin) Code() string {
	if p.code != "" {
		return p.code
	}
	return p.digest()
}

// ReadPlugin reads a plugin's manifest. It rejects a plugin for every problem that can be found without compiling it.
// digest is the hex SHA-256 of wasm, or "" to compute it on demand. The error is a *fault.Failure.
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

// Built returns a plugin whose manifest was checked when it was built into this program. It skips the checks,
// because every start of the program reads all manifests. wasm returns the .wasm file, which has size bytes.
func Built(origin string, manifest []byte, digest string, size int, wasm func() []byte) (*Plugin, error) {
	m, err := wire.DecodeManifest(manifest)
	if err != nil {
		return nil, fault.Newf(fault.ABI, "the manifest of %s cannot be read: %v", origin, err)
	}
	return &Plugin{Name: m.Name, Origin: origin, Size: size, Manifest: m, ManifestText: manifest, wasm: wasm,
		digest: func() string { return digest }}, nil
}

// Declared returns a plugin that a text declares. A worker derived its manifest from the text. digest is the text's
// hex SHA-256, and code is a digest of the text and the guest that runs it. wasm returns both as one file of about
// size bytes. The error is a *fault.Failure.
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

// Digest returns the hex SHA-256 of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
