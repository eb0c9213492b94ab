// Command release fills dist/ with everything that a release publishes, built from the checked-out commit: `make
// release-dry-run`. The same commit and the same Go version give the same bytes in any directory.
//
// We tried GoReleaser first. Only its paid edition builds npm packages, and it does not build wheels of a Go program or
// the plugins' artifacts. Its current version needs a newer Go than stategate does, and an older version needs 900
// modules and takes minutes to build.
//
//	release [-o DIR] [-only OS/ARCH,…]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	homepage    = "https://github.com/stategate/stategate"
	description = "A gate for the state that workflows keep in files"
	license     = "Apache-2.0"
)

func (t target) String() string { return t.os + "/" + t.arch }

func (t target) program() string { return "stategate" + t.suffix() }

func (t target) suffix() string {
	if t.os == "windows" {
		return ".exe"
	}
	return ""
}

type release struct {
	dist    string
	targets []target
	commit  string
	time    time.Time // of all files
	version version
	built   map[target][]byte // stategate
	others  map[target][]file // the other programs in cmd
	modules []module          // linked into the programs
	extra   []file            // the other files in an archive
	plugins []file            // NAME.wasm
	guest   file              // declare.wasm, which is published only as part of the programs
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	dist := flag.String("o", "dist", "write into `DIR`, which is emptied first")
	only := flag.String("only", "", "make only these targets: `OS/ARCH,…`")
	flag.Parse()
	if err := run(*dist, *only); err != nil {
		log.Fatal(err)
	}
}

func run(dist, only string) error {
	r := &release{dist: dist, built: map[target][]byte{}, others: map[target][]file{}}
	for _, t := range targets {
		if only == "" || slices.Contains(strings.Split(only, ","), t.String()) {
			r.targets = append(r.targets, t)
		}
	}
	if len(r.targets) == 0 {
		return fmt.Errorf("-only %s names no target; available: %v", only, targets)
	}
	if err := r.identify(); err != nil {
		return err
	}
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"programs", r.build}, {"documents", r.documents}, {"archives", r.archives}, {"plugins", r.publishPlugins},
		{"image", r.image},
		{"npm", r.npm}, {"wheels", r.wheels}, {"SBOM", r.sbom}, {"notes", r.notes}, {"script", r.script},
		{"checksums", r.checksums},
	} {
		begin := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
		log.Printf("%-10s %5.1f s", step.what, time.Since(begin).Seconds())
	}
	log.Printf("stategate %s of commit %.12s for %d targets is in %s; nothing was published, and there is no "+
		"provenance: the workflow attests it", r.version.semver, r.commit, len(r.targets), dist)
	return nil
}

// identify determines the released commit, and the time of all files: $SOURCE_DATE_EPOCH, or the commit's time if that
// is not set.
func (r *release) identify() error {
	out, err := output("", "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(strings.TrimSpace(out), " ")
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds = epoch
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is %q, expected a number of seconds", seconds)
	}
	r.commit, r.time = commit, time.Unix(n, 0).UTC()
	return nil
}

// output runs a program with additional environment variables, and returns its output.
func output(env string, name string, args ...string) (string, error) {
	c := exec.CommandContext(context.Background(), name, args...)
	c.Env = append(os.Environ(), strings.Fields(env)...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(append([]string{name}, args...), " "), err,
			strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}

// write writes a file below dist.
func (r *release) write(name string, data []byte, mode os.FileMode) error {
	path := filepath.Join(r.dist, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // regardless of the umask
}

// together calls a function for every target, two at a time.
func (r *release) together(do func(target) error) error {
	errs := make([]error, len(r.targets))
	var all sync.WaitGroup
	slots := make(chan bool, 2)
	for i, t := range r.targets {
		slots <- true
		all.Go(func() {
			errs[i] = do(t)
			<-slots
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
