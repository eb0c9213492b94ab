package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
)

// memory returns the file that holds what agents were last told, one line per session, or "" if nothing can be
// remembered.
func (h *hookCall) memory() string {
	if h.env.cacheDir == "" {
		return ""
	}
	dir := git.Resolved(h.env.dir)
	if repo := h.workTree(); repo != nil {
		dir = repo.Top // an agent may change to a subdirectory
	}
	return filepath.Join(filepath.Dir(h.env.cacheDir), "hooks", result.ID(dir))
}

// These are the maximum numbers of sessions, and of findings in each session, that are kept.
const maxSessions, maxFindings = 50, 200

type agentSession struct {
	begun string   // the commit that HEAD was at, or "" if unknown
	told  []string // fingerprints of the findings last reported to the agent
}

// remembered reads the memory: the lines of other sessions, and this session.
func (h *hookCall) remembered() (others []string, this agentSession) {
	data, _ := os.ReadFile(h.memory())
	for line := range strings.FieldsSeq(string(data)) {
		list, ok := strings.CutPrefix(line, result.ID(h.event.Conversing())+"=")
		if !ok {
			others = append(others, line)
			continue
		}
		begun, told, _ := strings.Cut(list, ":")
		if this.begun = begun; told != "" {
			this.told = strings.Split(told, ",")
		}
	}
	return others[max(len(others)-maxSessions, 0):], this
}

// remember stores what this session was told.
func (h *hookCall) remember(fingerprints []string) error {
	_, this := h.remembered()
	this.told = fingerprints
	return h.keep(this)
}

// keep stores this session, or forgets it if there is nothing to remember.
func (h *hookCall) keep(this agentSession) error {
	others, before := h.remembered()
	this.told = slices.Compact(slices.Sorted(slices.Values(this.told)))
	if h.memory() == "" || this.begun == before.begun && slices.Equal(this.told, before.told) {
		return nil
	}
	if this.begun != "" || len(this.told) > 0 {
		others = append(others, result.ID(h.event.Conversing())+"="+this.begun+":"+
			strings.Join(this.told[:min(len(this.told), maxFindings)], ","))
	}
	if err := os.MkdirAll(filepath.Dir(h.memory()), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(h.memory(), []byte(strings.Join(others, "\n")+"\n"), 0o600)
}

// sessionBegan returns the commit that HEAD was at when the session began, if HEAD has since advanced from it, so that
// commits made without a hook are also judged. During a merge, HEAD and the other side are the base instead.
func (h *hookCall) sessionBegan(ctx context.Context, repo *git.Repo) []string {
	_, this := h.remembered()
	heads, err := repo.Heads(ctx)
	if err != nil || len(heads) != 1 || this.begun == "" || heads[0] == this.begun {
		return nil
	}
	ancestors, err := repo.MergeBases(ctx, this.begun, heads[0])
	if err != nil || !slices.Contains(ancestors, this.begun) {
		return nil
	}
	return []string{this.begun}
}

// beginSession stores the commit at which a session begins, and forgets its reports. A resumed session keeps its
// original commit.
func (h *hookCall) beginSession(ctx context.Context) error {
	_, this := h.remembered()
	this.told = nil
	if repo := h.workTree(); repo != nil && this.begun == "" {
		if heads, err := repo.Heads(ctx); err == nil && len(heads) > 0 {
			this.begun = heads[0]
		}
	}
	return h.keep(this)
}
