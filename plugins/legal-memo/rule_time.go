package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// timeNotAdvanced finds a newest time that went back, or that is unchanged although work is new.
func timeNotAdvanced(l *look, a *agent) {
	done := func(a *agent) int { return a.countItems(complete) + len(keep(a.phases, (*phase).done)) }
	grew := func(key string) bool { return a.root.Get(key).Len() > a.was.root.Get(key).Len() }
	switch {
	case a.newest.Before(a.was.newest, 0):
		l.say(a, a.newestAt, say.Was("the newest time", a.newest.Text, a.was.newest.Text, " as "+
			a.was.newestAt[1:])).As(sdk.Warning)
	case a.newest.Precision > 0 && sameTime(a.newest.Text, a.was.newest.Text) &&
		(done(a) > done(a.was) || a.status != a.was.status || slices.ContainsFunc(growing[:], grew)):
		l.say(a, a.newestAt, "the newest time is still "+a.newest.Text+
			", but the file records new work since the base").As(sdk.Info)
	}
}

func orchestratorTimeNotAdvanced(l *look) {
	o, was := l.orch, l.base.orch
	if o.updated.Before(was.updated, 0) {
		l.orchestrator(sdk.Range{}, say.Was("last_updated", o.updated.Text, was.updated.Text, "")).As(sdk.Warning)
	}
	if o.updated.Precision == 0 || !sameTime(o.updated.Text, was.updated.Text) {
		return
	}
	for _, s := range o.ids {
		if old := was.find(s.id); old != nil && s.word != old.word && s.block != prose {
			l.orchestrator(sdk.Range{}, "last_updated is still "+o.updated.Text+", but "+say.Was("the status of "+s.id,
				say.Quote(s.text), say.Quote(old.text), "")).As(sdk.Info)
			return
		}
	}
}
