package author

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

//go:embed declaration
var declaration embed.FS

// Workflows is the directory for declarations, below the top of a repository.
const Workflows = ".stategate/workflows"

// Declare writes a declaration and its fixtures, either a copy from the gallery or a new one. It returns the next steps
// for the user.
func Declare(name, from, dir string) (string, error) {
	if !wire.IsName(name) {
		return "", fault.Usagef("%q is not a valid name; use lowercase words joined by hyphens, such as field-notes",
			name)
	}
	files := map[string]string{}
	switch known := declared.Gallery(); {
	case from != "" && !slices.Contains(known, from):
		return "", fault.Usagef("--from %q is not in the gallery; %s", from, suggest.OneOf(from, known))
	case from != "":
		var err error
		if files, err = declared.Copy(from, name); err != nil {
			return "", err
		}
	default:
		for file, to := range map[string]string{"workflow.yaml": ".yaml", "healthy.txtar": "/healthy.txtar",
			"faulty.txtar": "/faulty.txtar"} {
			text, err := declaration.ReadFile("declaration/" + file)
			if err != nil {
				return "", err
			}
			files[name+to] = strings.ReplaceAll(string(text), "NAME", name)
		}
	}
	for _, to := range slices.Sorted(maps.Keys(files)) {
		if err := write(filepath.Join(filepath.FromSlash(dir), filepath.FromSlash(to)), files[to]); err != nil {
			return "", err
		}
	}
	file, what := path.Join(filepath.ToSlash(dir), name+".yaml"), "a gate for "+name+".json"
	if from != "" {
		what = "a copy of " + from
	}
	next := "%s: %s; change it to fit your own state file\n  stategate plugin test %s\n" +
		"  stategate plugin add %s     # adds it to .stategate.yaml\n  stategate check"
	return fmt.Sprintf(next, file, what, file, file), nil
}

// write writes a new file. It fails if the file exists.
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
