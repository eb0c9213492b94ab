package iterativework

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := modelOf(p)
	if strings.HasSuffix(p.Root, ".iterative-work/archive") {
		return nil, sdk.NotMine("the archive contains tasks, but is not a task")
	}
	if has := m.state.Has; has("/session_id") && has("/phase_number") && !has("/phase") && !has("/phases") &&
		!has("/slug") && !has("/task") {
		return nil,
			sdk.NotMine("state.json belongs to another workflow: it has session_id and phase_number, but none of " +
				"phase, phases, slug, task")
	}
	for _, d := range m.docs.All() {
		if strings.IndexByte(d.Path, '/') > 0 {
			p.OverrideAll(d, sdk.Off)
		}
	}
	list := make([]sdk.Detection, 1, len(m.phases)+1)
	m.detectTask(&list[0])
	for _, ph := range m.phases {
		list = append(list, sdk.Detection{Lifecycle: phaseLifecycle, Subject: ph.id})
		m.detectPhase(ph, &list[len(list)-1])
	}
	return list, nil
}

func (m *model) detectTask(d *sdk.Detection) {
	d.Lifecycle, d.Claimed, d.Observed, d.Fit = taskLifecycle, m.state.Get("/phase").Text, m.ladder.Observed(), m.fit
	if m.fit == sdk.Consistent && m.claim >= deliver { // the documents need not show that the review is over
		d.Observed = taskLifecycle.Phases[m.claim-1]
	}
	if m.state.OK {
		d.Because = append(d.Because, sdk.AtPointer(statePath, "/phase"))
	}
	for _, path := range [...]string{logPath, planPath, briefPath} {
		if m.docs.Get(path) != nil {
			d.Because = append(d.Because, sdk.At(path))
		}
	}
	d.State = m.stateOfTask()
	d.Progress.Unit = "phases"
	for _, it := range m.plan.items {
		if d.Progress.Total++; m.byID[it.id].closed {
			d.Progress.Done++
		}
	}
	if c := m.current; c != nil && d.State != sdk.Finished {
		d.Facts = []sdk.Fact{sdk.TextFact("current", "current phase", c.id),
			sdk.IntFact("iteration", "iteration", int64(c.iteration()))}
		d.Facts[0].Level = sdk.Brief
	}
}

func (m *model) stateOfTask() sdk.State {
	stuck := m.first(func(ph *phase) bool { return !ph.closed && ph.stuck() })
	switch {
	case m.state.Doc != nil && !m.state.OK || m.absent(statePath):
		return sdk.Blocked
	case m.observed() == complete || m.claim == complete && m.archived && m.fit != sdk.Ahead:
		return sdk.Finished
	case stuck != nil && m.observed() == execute && m.reachable() == nil:
		return sdk.Blocked
	}
	return sdk.Active
}

func (m *model) detectPhase(ph *phase, d *sdk.Detection) {
	d.Claimed, d.Observed, d.Fit = ph.get("status").Text, phaseLifecycle.Phases[ph.observed-1], ph.fit
	begun := ph.status == inProgress && (ph.observed == pending || ph.back && ph.declared() <= 0)
	// the log need not show the beginning or the gates
	if ph.fit == sdk.Consistent && (begun || ph.status >= verifying) {
		d.Observed = phaseLifecycle.Phases[ph.status-1]
	}
	if ph.status == inProgress && ph.observed == timeout { // the state does not record the timeout yet
		d.Fit = sdk.JustBehind
	}
	if e := ph.trail.last; e != nil {
		d.Because = append(d.Because, e.at())
	} else if ph.tracked && !m.log.seen {
		d.Because = append(d.Because, sdk.AtPointer(statePath, pointer(ph.id, "status")))
	}
	if d.State = sdk.Active; ph.settled {
		d.State = sdk.Finished
	} else if ph.stuck() {
		d.State = sdk.Blocked
	}
	used := ph.used
	if used < 0 {
		used = ph.trail.works
	}
	total := cmp.Or(ph.max, used)
	d.Progress = wire.Progress{Done: min(used, total), Total: total, Unit: "iterations"}
}
