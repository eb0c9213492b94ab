package legalmemo

import "github.com/stategate/stategate/sdk"

func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) { return nil, nil }

// remedy takes out the remedies that would not heal.
func (m *model) remedy() {
	for _, d := range m.found {
		kept := d.Remedies[:0]
		for i := range d.Remedies {
			if d.Remedies[i].Safety == sdk.Manual {
				kept = append(kept, d.Remedies[i])
			}
		}
		d.Remedies = kept
	}
}
