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

// The engine decodes and validates a whole module before it looks for the machine code that it once made of it, which
// takes most of the time of a load. So the cache holds machine code under the name of the module's shell (see
// wasmfile.File.Shell): the engine reads the shell, finds code, and runs it. What makes this sound:
//
//   - the real module was compiled, and so validated, when the entry was made, and its digest is in the shell;
//   - an entry holds one module, is never shared with modules that are compiled as they are, and is bound to the
//     versions of the engine, the host's build and the processor's features by its name;
//   - the code of the shell itself, which only traps, never stays: it is overwritten before the entry is sealed, and
//     a miss, which would write it, is noticed after the load, the entry removed and the module itself compiled; a
//     worker that loads may not write where the system can hold it to that;
//   - it is the compiler that runs, without listeners or debug information, never the interpreter, to which a shell is
//     a program.

// An entry holds the shell as well, so that a worker need not be sent a plugin to derive it: who could change the one
// could change the code.
const shellName = "shell"

// Compiles reports whether the engine has a compiler for this machine, as far as the build can tell: else there is no
// code to keep.
const Compiles = (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") &&
	(runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows" || runtime.GOOS == "freebsd")

// Compile checks wasm and writes to dir, which is empty, what Kept needs. An error of kind io says that it could
// not be written; every other is one that Load would return.
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
		return fault.From(err, fault.IO) // a full disk must not read as a bad plugin
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

// graft compiles a shell into dir and puts the machine code of its module, which own holds, in place of the shell's.
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

// onlyIn returns the path of the one file that a directory of the engine has and the other has not. Both have the code
// of the modules that every plugin is linked with.
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
		return "", fmt.Errorf("the engine has written %d files for a module, want 1", len(names))
	}
	return filepath.Join(dir, filepath.FromSlash(names[0])), nil
}

// Kept loads what Compile has made in dir of the plugin of that digest, with its manifest, nil if the file has none.
// The guest is nil where that is of no use: it was evicted or damaged, or the engine made code of its own. The error is
// a *fault.Failure of kind limit.
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
	manifest, _ = wasmfile.Manifest(shell, e.limits.Manifest) // a file has none before it is packed
	return e.guest(code), manifest, nil
}
