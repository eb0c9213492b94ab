package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/wasmfile"
)

// The engine decodes and validates a whole module before it looks for the machine code that it once made of it, which
// takes most of the time of a load. So the cache holds machine code under the name of the module's shell (see
// wasmfile.Shell): the engine reads the shell, finds code, and runs it. What makes this sound:
//
//   - the real module was compiled, and so validated, when the entry was made, and its digest is in the shell;
//   - an entry holds one module, is never shared with modules that are compiled as they are, and is bound to the
//     versions of the engine, the host's build and the processor's features by its name;
//   - the code of the shell itself, all of which traps, never stays: it is overwritten before the entry is sealed, and
//     a miss, which would write it, is noticed after the load, the entry removed and the module itself compiled; a
//     worker that loads may not write where the system can hold it to that;
//   - it is the compiler that runs, without listeners or debug information, never the interpreter, to which a shell is
//     a program.

// An entry holds the shell as well, so that a worker need not be sent a plugin to derive it: who could change the one
// could change the code. Where there is no compiler the entry holds the module itself, and the engine interprets it.
const (
	shellName  = "shell"
	moduleName = "module"
)

// keptModule returns what an entry holds of the plugin of that digest, nil if nothing, and whether it is a shell.
func keptModule(dir, digest string) (module []byte, bare bool) {
	if shell, err := os.ReadFile(filepath.Join(dir, shellName)); err == nil {
		if !bytes.HasSuffix(shell, []byte(digest)) {
			return nil, false
		}
		return shell, true
	}
	module, _ = os.ReadFile(filepath.Join(dir, moduleName))
	return module, false
}

// compilerRuns reports whether the engine has a compiler for this machine, as far as the build can tell.
const compilerRuns = (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") &&
	(runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows" || runtime.GOOS == "freebsd")

// processorFeatures is what machine code may depend on besides the architecture.
func processorFeatures() string { return fmt.Sprint(cpu.X86, cpu.ARM64) }

// fill compiles a plugin into dir, which is empty, for Kept to find.
func (e *Engine) fill(ctx context.Context, file *wasmfile.File, shell []byte, dir string) error {
	if err := file.CheckCode(e.limits); err != nil {
		return err
	}
	bare := compilerRuns && shell != nil
	into, name, form := dir, moduleName, file.Bytes()
	if bare {
		own, err := os.MkdirTemp(dir, "module-")
		if err != nil {
			return fault.From(err, fault.IO)
		}
		defer os.RemoveAll(own)
		into, name, form = own, shellName, shell
	}
	whole := file.Redirect(redirected)
	code, err := compile(ctx, whole, into, anyhow)
	if err != nil {
		uncached, invalid := compile(ctx, whole, "", anyhow)
		if invalid != nil {
			return fault.From(invalid, fault.Compile)
		}
		uncached.close(ctx)
		return fault.From(err, fault.IO) // a full disk must not read as a bad plugin
	}
	code.close(ctx)
	if bare {
		var outside *wasmfile.File
		if outside, err = wasmfile.Read(shell); err == nil {
			err = graft(ctx, outside.Redirect(redirected), into, dir)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), form, 0o600)
	}
	if err != nil {
		return fault.From(err, fault.IO)
	}
	return nil
}

// graft compiles a shell into dir and puts the machine code of its module, which own holds, in place of the shell's.
func graft(ctx context.Context, shell []byte, own, dir string) error {
	code, err := compile(ctx, shell, dir, asCode)
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
	if err := sameFunctions(from, to); err != nil {
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

// sameFunctions holds that two files of machine code are by the same engine for modules of as many functions.
func sameFunctions(a, b string) error {
	x, err := codeHeader(a)
	if err != nil {
		return err
	}
	y, err := codeHeader(b)
	if err == nil && !bytes.Equal(x, y) {
		err = errors.New("the machine code of a module and of its shell do not match")
	}
	return err
}

// codeHeader returns the head of a file of machine code: "WAZEVO", the engine's version with its length, and the number
// of functions in four bytes.
func codeHeader(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const magic = "WAZEVO"
	head := make([]byte, len(magic)+1)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(magic)]) != magic {
		return nil, errors.Join(errors.New("the machine code is of an unknown form"), err)
	}
	rest := make([]byte, int(head[len(magic)])+4)
	_, err = io.ReadFull(f, rest)
	return append(head, rest...), err
}
