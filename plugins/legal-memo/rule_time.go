package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

func timeWentBack(l *look, a *agent) {
	if a.newest.Before(a.was.newest, 0) {
		l.say(a, a.newestAt, say.Was("the newest time", a.newest.Text, a.was.newest.Text, " as "+a.was.newestAt[1:]))
	}
}

func orchestratorTimeWentBack(l *look) {
	if o, was := l.orch, l.base.orch; o.updated.Before(was.updated, 0) {
		l.orchestrator(sdk.Range{}, say.Was("last_updated", o.updated.Text, was.updated.Text, ""))
	}
}

// timeNotAdvanced finds progress that was recorded without a new time.
func timeNotAdvanced(l *look, a *agent) {
	if a.newest.Precision == 0 || !sameTime(a.newest.Text, a.was.newest.Text) || a.unchanged(a.was) {
		return
	}
	var what []string
	if a.status != a.was.status {
		what = append(what, say.Was("status", say.Quote(a.statusText), say.Quote(a.was.statusText), ""))
	}
	for i, p := range a.phases {
		if p.done() && a.was.phases[i].open() {
			what = append(what, p.name+" is done")
		}
	}
	for _, old := range a.was.items {
		if now := a.itemLike(old); now != nil && now.word == complete && old.word != complete {
			what = append(what, now.key+" is complete")
		}
	}
	for _, key := range growing {
		if now, was := a.root.Get(key).Len(), a.was.root.Get(key).Len(); now > was {
			what = append(what, key+" has "+say.Count(now-was, "new entry"))
		}
	}
	if len(what) > 0 {
		l.say(a, a.newestAt, "the newest time is still "+a.newest.Text+", but these changes are new since the base: "+
			list(what))
	}
}

// orchestratorTimeNotAdvanced does the same for the orchestrator's state.
func orchestratorTimeNotAdvanced(l *look) {
	o, was := l.orch, l.base.orch
	if o.updated.Precision == 0 || !sameTime(o.updated.Text, was.updated.Text) {
		return
	}
	var what []string
	for _, s := range o.ids {
		if old := was.find(s.id); old != nil && s.word != old.word && s.block != prose {
			what = append(what, say.Was("the status of "+s.id, say.Quote(s.text), say.Quote(old.text), ""))
		}
	}
	if len(what) > 0 {
		l.orchestrator(sdk.Range{}, "last_updated is still "+o.updated.Text+", but "+list(what))
	}
}
