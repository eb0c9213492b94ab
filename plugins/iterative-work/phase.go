package iterativework

import (
	"cmp"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/state"
)

// A phase is one phase of the task.
type phase struct {
	id            string
	state         *state.Doc
	item          *item  // nil if the plan lacks it
	trail         *trail // never nil
	tracked       bool   // the state has it
	status        status // as the state claims it
	used, confirm int    // iterations and confirmations as the state counts them, -1 where it does not
	max           int    // 0 without
	observed      status
	fit           sdk.Fit
	reopened      bool // a review or revision reopens it
	back          bool // the state says that it went back to work from a gate
	resumed       bool // the state that says that it is worked on was written behind its last entry

	done, settled, met bool
	closed             bool // done, and the log does not refute it
}

func newPhase(id string, s *state.Doc, log *journal) *phase {
	ph := &phase{id: id, state: s, trail: log.trail(id), tracked: s.Has(pointer(id, ""))}
	ph.status = status(ph.get("status").Place + 1)
	ph.used, ph.confirm, ph.max = ph.get("iterations_used").Int, ph.get("confirmations_used").Int, max(ph.get("max_iterations").Int, 0)
	return ph
}

// noPhase is one of which nothing is known.
var noPhase = newPhase("", spec.Read(statePath, nil), &journal{})

// pointer is that of a field of a phase in state.json; of the phase for "".
func pointer(id, key string) string {
	if key != "" {
		key = "/" + key
	}
	return "/phases/" + id + key
}

// get is a field of the phase in the state.
func (ph *phase) get(key string) *state.Value { return ph.state.Get(pointer(ph.id, key)) }

func (ph *phase) has(key string) bool { return ph.state.Has(pointer(ph.id, key)) }

// passed reports whether the state records that the verification passed, failed that it did not.
func (ph *phase) passed() bool { return ph.get("verification_passed").Flag }
func (ph *phase) failed() bool { return ph.get("verification_passed").OK() && !ph.passed() }

// had is the phase as the base has it, one of which nothing is known without.
func (m *model) had(ph *phase) *phase {
	if was := m.base.byID[ph.id]; was != nil {
		return was
	}
	return noPhase
}

// holds are the conditions that hold for the phase.
func (m *model) holdsFor(ph *phase) check.Needs {
	return m.hold | conditions(ofPlan, ph.item != nil, ph.tracked, ph.tracked && m.had(ph).tracked, ph.status == done)
}

// known reports whether plan or state have the phase.
func (ph *phase) known() bool { return ph != nil && (ph.item != nil || ph.tracked) }

// begun reports whether anything says that the phase was worked on.
func (ph *phase) begun() bool {
	return ph.status > pending || len(ph.trail.entries) > 0 || ph.used > 0
}

// busy reports whether a phase is being worked on, and it alone.
func (ph *phase) busy() bool { return ph.status.working() && !ph.done && !ph.parallel() }

// stuck reports whether the phase is blocked or timed out.
func (ph *phase) stuck() bool { return ph.status >= blocked || ph.observed >= blocked }

func (ph *phase) halted() bool { return ph.status == blocked || ph.observed == blocked }

func (ph *phase) parallel() bool { return ph.item != nil && ph.item.parallel }

// says is the status of the phase as the state has it, or else as the log proves it.
func (ph *phase) says() status { return cmp.Or(ph.status, ph.observed) }

// confirmations is how many passed, as the state counts them or the log shows them.
func (ph *phase) confirmations() int { return max(ph.trail.done-1, ph.confirm, 0) }

// extra is how many of the iterations may be confirmations.
func (ph *phase) extra() int { return max(ph.confirmations(), ph.trail.done) }

// verified reports whether the state or the log record that the verification passed.
func (ph *phase) verified() bool { return ph.passed() || ph.trail.lastVerified >= 0 }

// recorded reports whether the gates of confirmation and verification are recorded.
func (ph *phase) recorded() bool { return ph.confirmations() > 0 && ph.verified() }

// iteration is the highest number of a work entry, or the count of the state if the log has as many; 0 without one.
func (ph *phase) iteration() int {
	n := ph.trail.highest
	if ph.used <= ph.trail.works {
		n = max(n, ph.used)
	}
	return min(n, most)
}

// title is the id with what the plan calls the phase.
func (ph *phase) title() string {
	if ph.item == nil || ph.item.title == "" {
		return ph.id
	}
	return ph.id + ": " + say.Clip(ph.item.title)
}
