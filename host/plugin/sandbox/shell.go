package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/wasmfile"
)

// The engine decodes and validates a whole module before it looks up the module's machine code, which takes most of
// the load time. The cache therefore stores machine code under the name of the module's shell (see
// wasmfile.File.Shell): the engine reads the shell, finds code, and runs it. This is sound because:
//
//   - the real module was compiled, and therefore validated, when the entry was created, and its digest is in the
//     shell;
//   - an entry contains one module, is never shared with modules that are compiled directly, and its name includes
//     the versions of the engine and the host's build and the processor's features;
//   - the code of the shell itself, which only traps, is never kept. It is overwritten before the entry is sealed. A
//     cache miss would write it again, but that is noticed after the load; then the entry is removed and the module
//     itself is compiled. Where the system can enforce it, a worker that loads a module may not write at all;
//   - the compiler runs it, without listeners or debug information. The interpreter never does, because it would
//     execute the shell.

// The cache entry also contains the shell, so that a worker need not receive a plugin just to derive the
// shell. This is safe because anyone who can change the shell can also change the code.
const shellName = "shell"

// Compiles reports whether the engine has a compiler for this machine, as far as that is known at build time. Without
// one, there is no code to keep.
const Compiles = (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") &&
	(runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows" || runtime.GOOS == "freebsd")

// Compile checks wasm and writes the files that Kept needs to the empty directory dir. An error of kind io means
// that they could not be written. All other errors are those that Load returns.
func (e *Engine) Compile(ctx context.Context, wasm []byte, digest, dir string) error {
	file, err := e.check(wasm)
	if err != nil {
		return err
	}
	own, err := os.MkdirTemp(dir, "module-")
	if err != nil {
		return fault.From(err, fault.IO)
	}
	defer os.RemoveAll(own)
	module := file.Redirect(redirected)
	code, err := compile(ctx, module, own, automatic)
	if err != nil {
		uncached, invalid := compile(ctx, module, "", automatic)
		if invalid != nil {
			return fault.From(invalid, fault.Compile)
		}
		uncached.close(ctx)
		return fault.From(err, fault.IO) // a full disk must not be reported as a bad plugin
	}
	code.close(ctx)
	shell := file.Shell(digest)
	err = graft(ctx, shell, own, dir)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, shellName), shell, 0o600)
	}
	if err != nil {
		return fault.From(err, fault.IO)
	}
	return nil
}

// graft compiles a shell into dir, and replaces the shell's machine code with the module's, which is in the
// engine directory own.
func graft(ctx context.Context, shell []byte, own, dir string) error {
	outside, err := wasmfile.Read(shell)
	if err != nil {
		return err
	}
	code, err := compile(ctx, outside.Redirect(redirected), dir, asCode)
	if err != nil {
		return err
	}
	code.close(ctx)
	from, err := onlyIn(own, dir)
	if err != nil {
		return err
	}
	to, err := onlyIn(dir, own)
	if err != nil {
		return err
	}
	return os.Rename(from, to)
}

// onlyIn returns the path of the only file that one engine directory has and the other lacks. Both directories also
// contain the code of the modules that every plugin is linked with.
func onlyIn(dir, other string) (string, error) {
	names, err := fs.Glob(os.DirFS(dir), "wazero-*/*")
	if err != nil {
		return "", err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(other, filepath.FromSlash(name)))
		return err == nil
	})
	if len(names) != 1 {
		return "", fmt.Errorf("the engine wrote %d files for a module, expected 1", len(names))
	}
	return filepath.Join(dir, filepath.FromSlash(names[0])), nil
}

// Kept loads the plugin with the given digest from the files that Compile wrote to dir. It also returns the plugin's
// manifest, or nil if there is none. The guest is nil if the files are unusable because they were evicted or
// damaged, or because the engine compiled the module again instead of using them. The error is a *fault.Failure of
// kind limit.
func (e *Engine) Kept(ctx context.Context, digest, dir string) (g *Guest, manifest []byte, err error) {
	shell, err := os.ReadFile(filepath.Join(dir, shellName))
	if err != nil || !bytes.HasSuffix(shell, []byte(digest)) {
		return nil, nil, nil
	}
	file, err := wasmfile.Check(shell, e.limits)
	if err != nil {
		return nil, nil, err
	}
	before, err := cache.Files(dir)
	if err != nil {
		return nil, nil, nil
	}
	code, err := compile(ctx, file.Redirect(redirected), dir, asCode)
	if err != nil {
		return nil, nil, nil
	}
	if after, err := cache.Files(dir); err != nil || !maps.Equal(before, after) {
		code.close(ctx)
		return nil, nil, nil
	}
	manifest, _ = wasmfile.Manifest(shell, e.limits.Manifest) // a file that is not packed yet has none
	return e.guest(code), manifest, nil
}
