// Package configfile changes a project's configuration: it adds plugins, updates their pins, and accepts findings.
package configfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/stategate/stategate/cmd/stategate/internal/declared"
	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/schemas"
	"github.com/stategate/stategate/sdk/wire"
)

// A File is a configuration and the tree that its paths refer to.
type File struct {
	*source.Files
	*config.Config        // empty if the file does not exist
	At             string // slash-separated, below Top
	Found          bool   // the file exists
	Store          store.Store
	Reader         *declared.Reader
}

// Dir returns the configuration's directory, slash-separated, below Top.
func (f *File) Dir() string { return path.Dir(f.At) }

// ReadError adds a file's name to an error from reading it.
func ReadError(name string, err error) error {
	var wrong *fault.UsageError
	if errors.As(err, &wrong) {
		return fault.Usagef("%s: %v", name, err)
	}
	return err
}

// change applies an edit to the current text of the file, writes the result, and reads it again.
func (f *File) change(ctx context.Context, edit func(text []byte) ([]byte, error)) error {
	text, err := f.Read(ctx, f.At, config.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ReadError(f.Name, err)
	}
	if text, err = edit(text); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(f.Top, filepath.FromSlash(f.At)), text, 0o666); err != nil {
		return fmt.Errorf("write %s: %w", f.Name, err)
	}
	f.Config, err = config.Parse(f.Name, text, schemas.Config)
	return err
}

// Add writes a plugin's entry, or keeps the file unchanged if it already has that entry.
func (f *File) Add(ctx context.Context, p config.Plugin) error {
	return f.change(ctx, func(text []byte) ([]byte, error) { return config.AddPlugin(f.Name, text, p, schemas.Config) })
}

// Remove removes a plugin's entry and returns its path or source. It accepts every kind of name that
// Updates accepts.
func (f *File) Remove(ctx context.Context, name string) (origin string, err error) {
	if !f.Found {
		return "", fault.Usagef("configuration %s does not exist", f.Name)
	}
	list, err := choose(f.Config, []string{name})
	if err != nil {
		return "", err
	}
	if origin = list[0].Origin(); len(list) > 1 {
		return "", fault.Usagef("%s has several plugins %q; specify one by its path or source", f.Name, name)
	}
	return origin, f.change(ctx, func(text []byte) ([]byte, error) {
		return config.RemovePlugin(f.Name, text, *list[0], schemas.Config)
	})
}

// Accept writes an ignore for one finding and returns its location. added is false if an existing ignore already
// applies to the finding.
func (f *File) Accept(ctx context.Context, a config.Ignore, now time.Time) (at string, added bool, err error) {
	for range 2 {
		i := slices.IndexFunc(f.Ignore, func(g config.Ignore) bool {
			return g.Fingerprint == a.Fingerprint && (g.Message == "" || policy.Covers(g.Message, a.Message)) &&
				(g.Until.IsZero() || now.Before(g.Until.Time))
		})
		if i >= 0 {
			return f.Place(f.Ignore[i].At), added, nil
		}
		err := f.change(ctx, func(text []byte) ([]byte, error) {
			return config.AddIgnore(f.Name, text, a, schemas.Config)
		})
		if err != nil {
			return "", false, err
		}
		added = true
	}
	return f.Name, added, nil
}

// Fetch fetches the plugin from a source, stores it, and returns its entry. Unless repository is "", this GitHub
// repository must have built the plugin.
func (f *File) Fetch(ctx context.Context, source, repository string) (config.Plugin, *plugin.Plugin, error) {
	plug, err := fetchPlugin(ctx, source)
	if err == nil {
		err = f.keep(ctx, source, plug, repository)
	}
	if err != nil {
		return config.Plugin{}, nil, err
	}
	return config.Plugin{Name: config.Text{Value: plug.Name}, Source: config.Text{Value: source},
		SHA256: config.Text{Value: plug.SHA256()}, Attestation: config.Text{Value: repository}}, plug, nil
}

// keep stores a plugin. Unless repository is "", it also verifies and records that this repository built the plugin.
func (f *File) keep(ctx context.Context, source string, plug *plugin.Plugin, repository string) error {
	if err := f.Store.Put(plug.Wasm()); err != nil {
		return err
	}
	return f.attest(ctx, source, plug.SHA256(), repository)
}

// Local reads the plugin in a file, given by the path that the user typed and by its absolute path, and
// returns its entry.
func (f *File) Local(ctx context.Context, file, full string) (config.Plugin, *plugin.Plugin, error) {
	name, inside := f.Below(full)
	below := name
	if inside && f.Dir() != "." {
		below, inside = strings.CutPrefix(name, f.Dir()+"/")
	}
	if !inside {
		return config.Plugin{}, nil,
			fault.Usagef("the file %s is outside the directory of %s, so other users cannot find it; copy it "+
				"there, or publish it and add its https:// or oci:// source", file, f.Name)
	}
	plug, err := f.plugin(ctx, name, file)
	if err != nil {
		return config.Plugin{}, nil, err
	}
	entry := config.Plugin{Name: config.Text{Value: plug.Name}, Path: config.Text{Value: below}}
	if !plug.IsDeclared() { // a declaration is reviewed in the repository; Updates pins it on request
		entry.SHA256.Value = plug.SHA256()
		_ = f.Store.Put(plug.Wasm()) // to compare the next version with it; if this fails, Was returns nil
	}
	return entry, plug, nil
}

func (f *File) plugin(ctx context.Context, name, origin string) (*plugin.Plugin, error) {
	wasm, err := f.Read(ctx, name, limits.Default().Plugin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Usagef("file %s does not exist", origin)
	}
	if err != nil {
		return nil, ReadError(origin, err)
	}
	plug, err := f.Reader.Read(ctx, origin, origin, wasm, "", limits.Default())
	var wrong *fault.UsageError
	if errors.As(err, &wrong) {
		return nil, err
	}
	return plug, fault.About(origin, err, fault.ABI)
}

// An Update describes a configured plugin and the plugin that is currently at its source.
type Update struct {
	Source string
	At     string // path from the top if the plugin is a file in the repository, or ""
	Pinned string // the pinned sha256, or ""
	Now    *plugin.Plugin
	entry  *config.Plugin
}

// Changed reports whether the plugin differs from the pinned one.
func (u *Update) Changed() bool { return u.Pinned != u.Now.SHA256() }

// Updates reads the current plugins at the sources of the named plugins, or of all plugins with a source or a pin. It
// fails if any plugin cannot be read.
func (f *File) Updates(ctx context.Context, names []string) (list []Update, err error) {
	if !f.Found {
		return nil, fault.Usagef("configuration %s does not exist", f.Name)
	}
	chosen, err := choose(f.Config, names)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetch.Timeout)
	defer cancel()
	var wrong []error
	for _, p := range chosen {
		u, err := f.update(ctx, p)
		if err == nil && p.Name.Value != "" && p.Name.Value != u.Now.Name {
			err = f.Errorf(p.Name.At,
				"the plugin at %s is now called %q, expected %q; correct the name or the source", u.Source,
				u.Now.Name, p.Name.Value)
		}
		list, wrong = append(list, u), append(wrong, err)
	}
	return list, errors.Join(wrong...)
}

func choose(c *config.Config, names []string) (list []*config.Plugin, err error) {
	unknown, known := slices.Clone(names), []string(nil)
	for i := range c.Plugins {
		p := &c.Plugins[i]
		called := slices.DeleteFunc([]string{p.Name.Value, p.Path.Value, p.Source.Value},
			func(s string) bool { return s == "" })
		known = append(known, called...)
		named := slices.ContainsFunc(called, func(s string) bool { return slices.Contains(names, s) })
		unknown = slices.DeleteFunc(unknown, func(s string) bool { return slices.Contains(called, s) })
		if named || len(names) == 0 && (p.Source.Value != "" || p.SHA256.Value != "") {
			list = append(list, p)
		}
	}
	if len(unknown) > 0 {
		return nil, fault.Usagef("%s has no plugin %q; %s", c.Name, unknown[0], suggest.OneOf(unknown[0], known))
	}
	return list, nil
}

func (f *File) update(ctx context.Context, p *config.Plugin) (u Update, err error) {
	u = Update{Source: p.Origin(), Pinned: p.SHA256.Value, entry: p}
	if p.Source.Value != "" {
		u.Now, err = fetchPlugin(ctx, p.Source.Value)
		return u, err
	}
	u.At = path.Join(f.Dir(), p.Path.Value)
	u.Now, err = f.plugin(ctx, u.At, u.At)
	return u, err
}

// Was returns the manifest of the pinned plugin, or nil if it is not in a store.
func (u *Update) Was(s store.Store) *wire.Manifest {
	wasm, err := s.Get(u.Pinned, limits.Default().Plugin)
	if err != nil {
		return nil
	}
	plug, err := plugin.ReadPlugin(u.Source, wasm, u.Pinned, limits.Default())
	if err != nil {
		return nil
	}
	return plug.Manifest
}

// Pin stores the fetched plugins and writes the new digests.
func (f *File) Pin(ctx context.Context, updates []Update) error {
	for _, u := range updates {
		if !u.Changed() {
			continue
		}
		entry := *u.entry
		entry.SHA256.Value = u.Now.SHA256()
		var err error
		if !u.Now.IsDeclared() {
			err = f.Store.Put(u.Now.Wasm())
		}
		if err == nil || u.At != "" { // a file in the repository is stored only for comparison
			err = f.attest(ctx, u.Source, entry.SHA256.Value, entry.Attestation.Value)
		}
		if err == nil {
			err = f.Add(ctx, entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Fetcher returns a fetcher that logs in with Docker's configuration, if there is one.
func Fetcher() *fetch.Fetcher {
	f := &fetch.Fetcher{MaxBytes: limits.Default().Plugin}
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		f.Credential = credentials.Credential(store)
	}
	return f
}

// fetchPlugin fetches a plugin and reads its manifest. It does not run the plugin's code.
func fetchPlugin(ctx context.Context, text string) (*plugin.Plugin, error) {
	source, err := fetch.Parse(text)
	if err != nil {
		return nil, fault.Usagef("%v", err)
	}
	wasm, err := Fetcher().Get(ctx, source)
	if err != nil {
		return nil, err
	}
	plug, err := plugin.ReadPlugin(text, wasm, "", limits.Default())
	return plug, fault.About(text, err, fault.ABI)
}

// Sync fetches a pinned plugin from its source, unless it is already in the store, and returns a line that says so. pin
// is the command that updates the pin.
func (f *File) Sync(ctx context.Context, p *config.Plugin, pin string) (string, error) {
	source := p.Source.Value
	_, err := f.Store.Get(p.SHA256.Value, limits.Default().Plugin)
	var tampered *store.TamperedError
	switch {
	case err == nil:
		return fmt.Sprintf("%s: kept, sha256 %s", source, p.SHA256.Value),
			f.attest(ctx, source, p.SHA256.Value, p.Attestation.Value)
	case !errors.Is(err, store.ErrMissing) && !errors.As(err, &tampered):
		return "", err
	}
	plug, err := fetchPlugin(ctx, source)
	if err != nil {
		return "", err
	}
	version, sum := plug.Name+" "+plug.Manifest.Version, plug.SHA256()
	switch {
	case p.SHA256.Value == "":
		return "", f.Errorf(p.At, "%s is not pinned; if you want %s, `%s` pins it (sha256 %s)", source,
			version, pin, sum)
	case p.SHA256.Value != sum:
		return "",
			f.Errorf(p.SHA256.At, "%s has the sha256 %s, expected %s; if the change is intended (it is %s), `%s` "+
				"pins it", source, sum, p.SHA256.Value, version, pin)
	}
	return fmt.Sprintf("%s: fetched %s, sha256 %s", source, version, sum),
		f.keep(ctx, source, plug, p.Attestation.Value)
}
