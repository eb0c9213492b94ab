package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func sessions(dir string, n int) error {
	for i := range n {
		id := fmt.Sprintf("2026-03-%02d-topic-%d", i%28+1, i)
		for name, text := range session(id) {
			if err := put(filepath.Join(dir, ".ocr", "sessions", id, filepath.FromSlash(name)), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// note changes one session before each run, without making it faulty.
func note(dir string) func(run int) error {
	return growing(filepath.Join(dir, ".ocr/sessions/2026-03-08-topic-7/context.md"), "- Note %d\n")
}

func session(id string) map[string]string {
	day := id[:len("2026-03-01")]
	review := "# Review\n\n## Finding 1: a deadline is missing\n\nThe call takes the request's context, which may " +
		"live for 30 s.\n\n" +
		"## Finding 2: a name leaks\n\nUse the hash of the key.\n"
	return map[string]string{
		"state.json": fmt.Sprintf(`{
  "session_id": %q,
  "workflow_type": "review",
  "status": "closed",
  "current_phase": "complete",
  "phase_number": 8,
  "current_round": 1,
  "started_at": "%[2]sT09:12:41Z",
  "round_started_at": "%[2]sT09:12:41Z",
  "updated_at": "%[2]sT11:47:20Z"
}
`, id, day),
		"discovered-standards.md": "# Standards\n\n- Errors are wrapped.\n- Business code takes a clock.\n",
		"context.md": "# Context\n\n**Session**: " + id +
			"\n\n## Change Summary\n\nA token bucket.\n\n## Tech Lead Guidance\n\nLook at slow calls.\n",
		"rounds/round-1/reviews/alpha-1.md": review,
		"rounds/round-1/reviews/beta-1.md":  review,
		"rounds/round-1/discourse.md":       "# Discourse\n\n**AGREE** with all of it.\n",
		"rounds/round-1/final.md": "# Final\n\n**Mode**: Full\n\n## Verdict\n\nAPPROVE\n\n## " +
			"Blockers\n\nNone.\n\n## Reviews\n\n" +
			"| Reviewer | File |\n|---|---|\n| alpha-1 | `reviews/alpha-1.md` |\n| beta-1 | `reviews/beta-1.md` |\n",
	}
}

// repository turns dir into a git repository with one commit that contains dir's files and a number of other files that
// are not state. It then stages a session.
func repository(dir string, files int) error {
	for i := range files {
		path := filepath.Join(dir, fmt.Sprintf("src/%d/%d/file%d.go", i/5000, i/50, i))
		if err := put(path, "package p\n"); err != nil {
			return err
		}
	}
	git := func(args ...string) error {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c",
			"maintenance.auto=false", "-C", dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w\n%s", args, err, out)
		}
		return nil
	}
	err := errors.Join(git("init", "-q"), git("add", "-A"), git("commit", "-qm", "files"))
	if err == nil && files > 0 {
		err = errors.Join(sessions(dir, 1), git("add", "-A"))
	}
	return err
}

// put writes a file, and creates its parent directories.
func put(path, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
}
