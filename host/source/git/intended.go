package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// IsEmpty reports whether an object id is that of the empty file, which git also lists for a name that is only intended
// to be added.
func IsEmpty(id string) bool {
	return id == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" || id == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
}

// intendedFlag is what "ls-files --debug" shows of a name that is only intended to be added.
const intendedFlag = 1 << 29

// Intended returns those of the paths in the index that are only intended to be added (git add -N).
func (r *Repo) Intended(ctx context.Context, paths []string) (list []string, err error) {
	const atOnce = 500 // a command line holds that many long paths
	for len(paths) > 0 {
		some := paths[:min(len(paths), atOnce)]
		paths = paths[len(some):]
		out, _, err := r.run(ctx, append([]string{"--literal-pathspecs", "ls-files", "--debug", "-z", "--"}, some...)...)
		if err != nil {
			return nil, err
		}
		names, err := intended(out)
		if err != nil {
			return nil, r.failed("ls-files", err, &tail{})
		}
		list = append(list, names...)
	}
	return list, nil
}

// intended reads a path, a zero byte and five lines, of which the last ends in "flags: HEX", over and over.
func intended(out string) (list []string, err error) {
	for out != "" {
		path, rest, ok := strings.Cut(out, "\x00")
		about, rest2, ok2 := strings.Cut(rest, "\tflags: ")
		flags, after, _ := strings.Cut(rest2, "\n")
		bits, bad := strconv.ParseUint(flags, 16, 32)
		if !ok || !ok2 || bad != nil || strings.Count(about, "\n") != 4 {
			return nil, fmt.Errorf("printed %.80q, want a path and its flags", out)
		}
		if bits&intendedFlag != 0 {
			list = append(list, path)
		}
		out = after
	}
	return list, nil
}
