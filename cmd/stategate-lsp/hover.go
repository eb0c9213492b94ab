package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stategate/stategate/cmd/internal/gate"
)

// hover returns the findings at a position, their remedies, and the explanations of their rules.
func (s *server) hover(ctx context.Context, params json.RawMessage) (any, error) {
	var p asked
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &wireError{codeInvalidParams, err.Error()}
	}
	f, list := s.findings(p.TextDocument.URI, &textRange{p.Position, p.Position})
	if len(list) == 0 {
		return nil, nil
	}
	var b strings.Builder
	for i, l := range list {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "%s: %s\n", l.Severity, gate.Shown(l.Message))
		for _, r := range l.Remedies {
			fmt.Fprintf(&b, "  %s: %s\n", cmp.Or(map[string]string{"manual": "by hand"}[r.Safety], r.Safety),
				gate.Shown(strings.Join(append([]string{r.Title}, r.Steps...), "; ")))
		}
		if l.Rule == "" {
			continue
		}
		text, err := f.Run(ctx, gate.Call{Args: []string{"explain", "--", l.Rule}})
		if ctx.Err() != nil {
			return nil, err
		}
		if err == nil { // the rules of a plugin that is gone have no explanation
			fmt.Fprintf(&b, "\n%s", text)
		}
	}
	return map[string]any{"contents": map[string]any{"kind": "plaintext", "value": strings.TrimSpace(b.String())},
		"range": list[0].shown.Range}, nil
}
