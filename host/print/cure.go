package print

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// stage is the command that stages paths.
func (o *Options) stage(paths []string) string {
	if o.Stage == nil {
		return "git add " + Safe(strings.Join(paths, " "))
	}
	return Safe(o.Stage(paths))
}

// apply is the command that applies a remedy, "" if none does.
func (o *Options) apply(r *result.Remedy) string {
	if o.Recover == "" || r.Safety == wire.Manual {
		return ""
	}
	return Safe(o.Recover) + " --apply " + r.ID
}

// cures are the texts of all that ends a finding: its remedies, then the recoveries of
// its instance.
func (o *Options) cures(i *result.Instance, d *result.Diagnostic) []string {
	var list []string
	if len(d.Fixed) > 0 {
		list = append(list, o.fixed(d))
	}
	for _, r := range d.Remedies {
		list = append(list, remedyText(r, *o))
	}
	for _, r := range recoveriesOf(i, d) {
		list = append(list, "recovery option: "+remedyText(r, *o))
	}
	return list
}

func (o *Options) fixed(d *result.Diagnostic) string {
	return "already fixed in the work tree: " + o.stage(d.Fixed)
}

// recoveriesOf lists the recoveries that end a finding. One that does not say what it
// ends may end any error that nothing else ends.
func recoveriesOf(i *result.Instance, d *result.Diagnostic) []result.Remedy {
	return slices.DeleteFunc(slices.Clone(i.Recoveries), func(r result.Remedy) bool {
		if len(r.Heals) == 0 {
			return d.Severity != wire.Error || len(d.Fixed) > 0
		}
		return !slices.ContainsFunc(r.Heals, func(name string) bool { return i.Plugin+"/"+name == d.Rule })
	})
}

// A located is a finding with the instance that it was found in.
type located struct {
	instance *result.Instance
	*result.Diagnostic
}

// severest lists the findings of a result, the most severe first.
func severest(r *result.Result) []located {
	var list []located
	for n := range r.Instances {
		i := &r.Instances[n]
		for at := range i.Diagnostics {
			list = append(list, located{i, &i.Diagnostics[at]})
		}
	}
	slices.SortStableFunc(list, func(a, b located) int { return int(b.Severity) - int(a.Severity) })
	return list
}
