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
	begun string   // the commit that HEAD was at, baseNone if there was none, or "" if unknown
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

// sessionBegan returns the commits to compare with so that everything since the session began is judged, including
// commits made without a hook. These are HEAD and the commits being merged into it, except that the session's first
// commit replaces those that descend from it. If none descends from it, because it was amended, rebased or left, HEAD
// is replaced by the merge base of HEAD and that commit. sessionBegan returns none if HEAD is to be compared with
// itself, and baseNone if there was no commit yet or the histories are unrelated.
func (h *hookCall) sessionBegan(ctx context.Context, repo *git.Repo) (list []string) {
	_, this := h.remembered()
	heads, err := repo.Heads(ctx)
	if err != nil || len(heads) == 0 || this.begun == "" || len(heads) == 1 && heads[0] == this.begun {
		return nil
	}
	if this.begun == baseNone {
		return []string{baseNone}
	}
	for _, head := range heads {
		if bases, err := repo.MergeBases(ctx, this.begun, head); err == nil && slices.Contains(bases, this.begun) {
			head = this.begun
		}
		if !slices.Contains(list, head) {
			list = append(list, head)
		}
	}
	if slices.Contains(list, this.begun) {
		return list
	}
	bases, err := repo.MergeBases(ctx, this.begun, heads[0])
	switch {
	case err != nil || len(bases) == 0:
		return []string{baseNone}
	case slices.Equal(bases, heads):
		return nil
	}
	return append(bases, list[1:]...)
}

// beginSession stores the commit at which a session begins, and forgets its reports. A resumed session keeps its
// original commit.
func (h *hookCall) beginSession(ctx context.Context) error {
	_, this := h.remembered()
	this.told = nil
	if this.begun == "" {
		this.begun = headOf(ctx, h.workTree())
	}
	return h.keep(this)
}

// headOf returns the commit that HEAD is at, baseNone if there is no commit or no repository yet, or "" if it is not
// known.
func headOf(ctx context.Context, repo *git.Repo) string {
	if repo == nil {
		return baseNone
	}
	heads, err := repo.Heads(ctx)
	switch {
	case err != nil:
		return ""
	case len(heads) == 0:
		return baseNone
	}
	return heads[0]
}
