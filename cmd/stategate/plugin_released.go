package main

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/stategate/stategate/cmd/stategate/internal/configfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/fetch"
)

// releasedList is what the latest release carries beside its plugins.
const releasedList = "https://github.com/stategate/stategate/releases/latest/download/plugins.json"

// maxList is how large a list may be.
const maxList = 1 << 20

// A listed plugin can be added by its name.
type listed struct {
	Name        string `json:"name"`
	Source      string `json:"source"`
	SHA256      string `json:"sha256"`
	Attestation string `json:"attestation"` // the GitHub repository that built it, to be verified, or ""
}

// readList reads a list of plugins. What it says of a plugin is checked when the plugin is added.
func readList(ctx context.Context, place string) ([]listed, error) {
	place = cmp.Or(place, releasedList)
	var data []byte
	if strings.Contains(place, "://") {
		source, err := fetch.Parse(place)
		if err != nil {
			return nil, usagef("%v", err)
		}
		fetcher := configfile.Fetcher()
		fetcher.MaxBytes = maxList
		if data, err = fetcher.Get(ctx, source); err != nil {
			return nil, fault.Newf(fault.IO, "%v; plugin add takes a source as well", err)
		}
	} else {
		var err error
		if data, err = readRegular(place, maxList); err != nil {
			return nil, err
		}
	}
	var list struct {
		Plugins []listed `json:"plugins"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fault.Newf(fault.IO, "%s is not a list of plugins: %v", place, err)
	}
	for _, l := range list.Plugins {
		if l.Name == "" || len(l.SHA256) != 64 || !strings.Contains(l.Source, "://") {
			return nil,
				fault.Newf(fault.IO, "%s is not a list of plugins: an entry lacks its name, its source or its sha256",
					place)
		}
	}
	return list.Plugins, nil
}

// fromList returns what a list says of a name.
func fromList(ctx context.Context, place, name string) (listed, error) {
	all, err := readList(ctx, place)
	if err != nil {
		return listed{}, err
	}
	var names []string
	for _, l := range all {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return listed{}, usagef("%s lists no plugin %q; available: %s", cmp.Or(place, releasedList), name,
		strings.Join(names, ", "))
}
