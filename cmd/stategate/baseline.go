package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/stategate/stategate/cmd/stategate/internal/setup"
	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/policy/baseline"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
)

const baselineName = setup.BaselineName

// keepBaseline writes all findings to the file that --write-baseline names, which accepts them from then on. It does
// nothing if the flag is "".
func keepBaseline(a *app, file string, s *settings, r *result.Result) error {
	if file == "" {
		return nil
	}
	if len(r.Failures) > 0 {
		_ = lines(a.stderr, "stategate: ", "    ", "no baseline was written, because some state could not be checked")
		return nil
	}
	if !r.Whole {
		return usagef("--write-baseline records all findings; run it at the top, %s, without PATHs", r.Workspace)
	}
	dir, name := baselinePlace(a, file, s, r)
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := cmp.Or(a.outsideGit("write-baseline", full), replaceable(full)); err != nil {
		return err
	}
	b, unread := policy.NewBaseline(r)
	data, err := b.Encode()
	if err == nil {
		err = writeBelow(dir, name, print.SafeJSON(data))
	}
	if err != nil {
		return fault.Newf(fault.IO, "write the baseline %s: %v", full, err)
	}
	policy.Accept(r, b)
	hint := ""
	if s.Baseline.Value == "" {
		hint = fmt.Sprintf("; to use it, add `baseline: %s` to %s", name, config.Name)
	}
	if unread > 0 {
		hint += fmt.Sprintf("; left out %s: something could not be read, which can never be accepted",
			print.Count(unread, "finding"))
	}
	a.note(fmt.Sprintf("wrote %s to %s%s", print.Count(len(b.Findings), "finding"), full, hint))
	return nil
}

// replaceable returns an error for an existing file that is not a baseline, because the name may come from an untrusted
// configuration. A damaged baseline may be replaced.
func replaceable(full string) error {
	if _, err := os.Lstat(full); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	data, err := readRegular(full, baseline.MaxSize)
	if err == nil && len(bytes.TrimSpace(data)) > 0 &&
		!bytes.Contains(data[:min(len(data), 512)], []byte(`"findings"`)) {
		err = usagef("%s exists and is not a baseline; remove it or choose another file", full)
	}
	return err
}

// baselinePlace returns the baseline's path, as set by the flag or the configuration, or the default at the top. The
// path is relative to dir and must not leave it.
func baselinePlace(a *app, file string, s *settings, r *result.Result) (dir, name string) {
	switch {
	case file != baselineName:
		full := a.absolute(file)
		return filepath.Dir(full), filepath.Base(full)
	case s.Baseline.Value != "":
		return s.Top, path.Join(s.Dir(), s.Baseline.Value)
	}
	return r.Workspace, baselineName
}

func writeBelow(dir, name string, data []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return atomicfile.WriteBelow(root, filepath.FromSlash(name), data, 0o666)
}
