package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const patience = 60 * time.Second

// A look holds the report of one binary about one repository.
type look struct {
	repository
	took     time.Duration
	gate     string
	runs     int
	findings []finding
	problems []string // failures of plugins and of the whole check
}

type finding struct {
	Plugin      string `json:"-"`
	Root        string `json:"-"`
	Rule        string
	Severity    string
	Subject     string
	Path        string
	Line        int
	Message     string
	Fingerprint string
	Former      []string `json:"former_fingerprints"`
	Remedies    []struct{ ID, Title, Safety string }
}

// output holds the fields that ecosystem reads from --format json.
type output struct {
	Gate      string
	Instances []struct {
		Plugin, Root string
		Diagnostics  []finding
		Recoveries   []struct{ ID, Title, Safety string }
	}
	Failures []struct{ Plugin, Root, Message string }
}

func checkAll(bin string, repos []repository, plugin string) []look {
	return each(repos, func(r repository) look {
		l := look{repository: r}
		args := []string{"check", "--format", "json"}
		if r.bare {
			rev := "HEAD"
			if r.commit != "" {
				rev = r.commit
			}
			args = append(args, "--rev", rev)
		}
		l.check(bin, plugin, args...)
		return l
	})
}

func (l *look) check(bin, plugin string, args ...string) {
	if plugin != "" {
		args = append(args, "--plugin", plugin)
	}
	began := time.Now()
	out, code, err := command(l.dir, bin, args...)
	l.took = time.Since(began)
	var o output
	if err == nil && code != 2 {
		err = json.Unmarshal(out, &o)
	}
	if err != nil || code == 2 {
		l.problems = append(l.problems, fmt.Sprintf("exit %d, %v: %s", code, err, firstLine(out)))
		return
	}
	l.gate = o.Gate
	for _, f := range o.Failures {
		l.problems = append(l.problems, f.Plugin+" "+f.Root+": "+f.Message)
	}
	for _, i := range o.Instances {
		l.runs++
		for _, f := range i.Diagnostics {
			f.Plugin, f.Root = i.Plugin, i.Root
			f.Rule = i.Plugin + "/" + strings.TrimPrefix(f.Rule, i.Plugin+"/")
			l.findings = append(l.findings, f)
		}
	}
}

// command runs a command and returns its stdout, or its stderr if that is empty, and its exit code.
func command(dir, bin string, args ...string) ([]byte, int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, -1, fmt.Errorf("it takes longer than %v", patience)
	case errors.As(err, &exit):
		err = nil
	}
	if out.Len() == 0 {
		out = stderr
	}
	code := -1
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return out.Bytes(), code, err
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	return line
}

// keys returns the keys that identify a finding in another check, which may have used the rule's former name. The first
// key is the current fingerprint's.
func (f *finding) keys(repo string) []string {
	list := []string{repo + " " + f.Fingerprint}
	for _, former := range f.Former {
		list = append(list, repo+" "+former)
	}
	return list
}

// link returns a URL that shows the finding's location.
func (l *look) link(f *finding) string {
	if l.commit == "" {
		return fmt.Sprintf("%s %s:%d", l.name, f.Path, f.Line)
	}
	place := ""
	if f.Line > 0 {
		place = fmt.Sprintf("#L%d", f.Line)
	}
	return fmt.Sprintf("https://github.com/%s/blob/%s/%s%s", l.name, l.commit, f.Path, place)
}
