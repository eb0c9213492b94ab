package print

import (
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// A Row is a run, a part of one or several alike, as a live view shows it. Its texts
// are sanitised, each one line.
type Row struct {
	Root, Plugin     string
	Errors, Warnings int // of the instance
	Who, Phase       string
	Done, Total      int // Total 0: not known
	Unit             string
	State            wire.State
	First, Next      string // "" for what is over
	Picked           bool   // the workflow's own tool would choose it
}

// Rows returns what Status shows of every run, in its order. An instance in which no
// run can be seen has a row without Who.
func Rows(r *result.Result) []Row {
	var rows []Row
	picks, manifests := picked(r), map[string]*wire.Manifest{}
	for _, p := range r.Plugins {
		manifests[p.Name] = p.Manifest
	}
	for i := range r.Instances {
		inst := &r.Instances[i]
		s := (&result.Result{Instances: []result.Instance{*inst}}).Summary()
		of := Row{Root: Safe(inst.Root), Plugin: Safe(inst.Plugin), Errors: s.Errors, Warnings: s.Warnings}
		if len(inst.Detections) == 0 {
			rows = append(rows, of)
		}
		for _, l := range statusLines(inst, manifests[inst.Plugin], picks) {
			rows = append(rows, of.with(l))
		}
	}
	return rows
}

func (r Row) with(l statusLine) Row {
	r.Who, r.Phase, r.State, r.Picked = Safe(l.who()), Safe(l.phase()), l.State, l.picked
	r.Done, r.Total, r.Unit = l.Progress.Done, l.Progress.Total, Safe(l.Progress.Unit)
	if !l.over() {
		r.First, r.Next = Safe(l.Resume.First), Safe(l.Resume.Next)
	}
	return r
}

// Unseen returns a line for everything that could not be looked at, sanitised.
func Unseen(r *result.Result) []string {
	var lines []string
	for i := range r.Failures {
		lines = append(lines, Safe(failureText(&r.Failures[i])))
	}
	return lines
}
