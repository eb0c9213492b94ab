package print

import (
	"fmt"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// again repeats the list of remedies that can be applied, one line each, so that a person need not scroll up from
// the prompt to find an id. alone holds the state directories that have recovery options but no listed finding.
func (p *listing) again(alone []*result.Instance) {
	var rows []offerRow
	names, all := p.runNames(), 0
	add := func(e entry) {
		for _, r := range e.remedies {
			if canApply(r) {
				rows = append(rows, offerRow{p.how.short[r.ID], r.Safety, Safe(r.Title), names(e.instance, e.finding)})
			}
		}
	}
	for _, e := range p.entries {
		add(e)
	}
	for _, i := range alone {
		add(entry{instance: i, remedies: i.Recoveries})
	}
	for _, o := range p.result.Offers() {
		if canApply(o.Remedy) {
			all++
		}
	}
	if len(rows) == 0 {
		return
	}
	p.line(p.bold("to apply:"))
	p.offerRows(rows)
	if rest := all - len(rows); rest > 0 {
		p.line(p.faint(fmt.Sprintf("… and %d more (--show all)", rest)))
	}
	p.line()
}

type offerRow struct {
	id         string
	safety     wire.Safety
	title, run string
}

// offerRows writes rows in columns. On a narrow terminal, it shortens the runs' names, and then the titles.
func (p *listing) offerRows(rows []offerRow) {
	id, safety, title, run := 0, 0, 0, 0
	for _, x := range rows {
		id, safety = max(id, len(x.id)), max(safety, len(x.safety.String()))
		title, run = max(title, Columns(x.title)), max(run, Columns(x.run))
	}
	if room := p.how.Width - id - safety - 4*len(gap); p.how.Width > 0 {
		run = min(run, max(room-title, room*2/5, leastRun))
		title = min(title, room-run)
	}
	for _, x := range rows {
		p.line(gap, p.bold(padded(x.id, id)), gap, p.safety(x.safety, safety), gap,
			padded(firstColumns(x.title, title), title), gap, middleColumns(x.run, run))
	}
}

// runNames returns a function that names the run of a finding, or its state directory if it belongs to no run.
func (p *listing) runNames() func(*result.Instance, *result.Diagnostic) string {
	runs, names := p.result.Runs(), map[*wire.Detection]string{}
	for n, place := range result.Places(runs) {
		names[runs[n].Self] = p.runName(&runs[n], place)
	}
	partitions := map[*result.Instance]*result.Partition{}
	return func(i *result.Instance, d *result.Diagnostic) string {
		if partitions[i] == nil {
			partitions[i] = i.Partition()
		}
		if d != nil {
			if run := partitions[i].RunOf(d); run != nil {
				return names[run]
			}
		}
		return p.path(i.Root)
	}
}
