package author

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/wire"
)

//go:embed declaration
var declaration embed.FS

// Workflows is where declarations are, below the top of a repository.
const Workflows = ".stategate/workflows"

// Declare writes the declaration of a workflow with two fixtures, and returns what to do with them, for people.
func Declare(name, dir string) (string, error) {
	if !wire.IsName(name) {
		return "", fault.Usagef("%q is not a valid name; use lowercase words joined by hyphens, such as field-notes",
			name)
	}
	file := path.Join(filepath.ToSlash(dir), name+".yaml")
	for from, to := range map[string]string{"workflow.yaml": file, "healthy.txtar": path.Join(path.Dir(file), name,
		"healthy.txtar"), "faulty.txtar": path.Join(path.Dir(file), name, "faulty.txtar")} {
		text, err := declaration.ReadFile("declaration/" + from)
		if err != nil {
			return "", err
		}
		if err := write(filepath.FromSlash(to), strings.ReplaceAll(string(text), "NAME", name)); err != nil {
			return "", err
		}
	}
	next := "%s: a gate for %s.json; change it to fit your own state file\n  stategate plugin test %s\n" +
		"  stategate plugin add %s     # .stategate.yaml names it from now on\n  stategate check"
	return fmt.Sprintf(next, file, name, file, file), nil
}

// write writes a file that must not exist yet.
func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fault.Usagef("%s exists; use another name", file)
	}
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	return err
}
