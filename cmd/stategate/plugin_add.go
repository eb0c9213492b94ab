package main

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/host/plugin/store"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/schemas"
)

type addFlags struct {
	configFile string
	sum        string
	replace    bool
}

func (a *app) addVerb() *cobra.Command {
	f := &addFlags{}
	c := &cobra.Command{
		Use:   "add FILE.wasm|https://…|oci://…",
		Short: "Add a plugin to the configuration, pinned",
		Long: `add writes a plugin into ` + config.Name + `, with its name and the sha256 of its bytes: a file of
the repository under its path, anything else under its source, fetched into the store
of this machine. Other machines fetch it with plugin sync. check uses exactly these bytes.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: inOrder(files("wasm")),
		RunE:              func(c *cobra.Command, args []string) error { return a.addPlugin(c.Context(), f, args[0]) },
	}
	c.Flags().StringVar(&f.configFile, "config", "", "write to the configuration `FILE` instead of "+config.Name+" at the top")
	completeFlag(c, "config", files("yaml", "yml"))
	c.Flags().StringVar(&f.sum, "sha256", "", "refuse a plugin whose bytes have another `DIGEST`")
	c.Flags().BoolVar(&f.replace, "replace", false, "let it take the place of a built-in plugin of its name")
	return c
}

func (a *app) addPlugin(ctx context.Context, f *addFlags, source string) error {
	files, err := check.OpenFiles(ctx, a.hostOptions(limits.Default(), true), "")
	if err != nil {
		return err
	}
	defer files.Close()
	target, err := a.configTarget(files, f.configFile)
	if err != nil {
		return err
	}
	entry, plugin, err := a.entryOf(ctx, target, source)
	if err != nil {
		return err
	}
	if f.sum != "" && f.sum != entry.SHA256 {
		return usagef("the plugin %s has the sha256 %s, expected %s; nothing was written", source, entry.SHA256, f.sum)
	}
	if err := refuseTaken(plugin, f.replace); err != nil {
		return err
	}
	entry.Replace = f.replace
	if err := target.add(ctx, entry); err != nil {
		return err
	}
	if err := a.printed(print.Lines(a.stdout, "", "  ", target.called+": "+plugin.Name+" "+plugin.Manifest.Version+" from "+source+", sha256 "+entry.SHA256)); err != nil {
		return err
	}
	if entry.Path != "" {
		return a.thenStage(target, entry.Path)
	}
	return a.thenStage(target)
}

// thenStage prints the command after which a commit has what was written: a hook reads the configuration of the index.
func (a *app) thenStage(t *configTarget, besides ...string) error {
	if !a.inRepository() {
		return nil
	}
	return a.printed(print.Lines(a.stdout, "then: ", "", a.gitAdd(t.files.Top, append([]string{t.name}, besides...))))
}

func (a *app) inRepository() bool {
	return git.Find(a.env.dir, git.Settings{Environ: a.env.all, Dir: a.env.dir}) != nil
}

// A configTarget is the configuration that is written to. It may not exist yet.
type configTarget struct {
	files  *check.Files
	name   string // slash-separated, below files.Top
	called string
}

func (a *app) configTarget(files *check.Files, file string) (*configTarget, error) {
	if file == "" {
		return &configTarget{files, config.Name, a.fromHere(files.Top, config.Name)}, nil
	}
	name, inside := files.Below(a.absolute(file))
	if !inside {
		return nil, usagef("--config %s is outside %s, whose configuration is written", file, files.Top)
	}
	return &configTarget{files, name, file}, nil
}

// add writes the entry, or leaves the file as it is.
func (t *configTarget) add(ctx context.Context, e config.Entry) error {
	text, err := t.files.Read(ctx, t.name, config.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unread(t.called, err)
	}
	text, err = config.AddPlugin(t.called, text, e, schemas.Config)
	if err != nil {
		return err
	}
	return t.write(text)
}

// write replaces the configuration.
func (t *configTarget) write(text []byte) error {
	if err := atomicfile.Write(filepath.Join(t.files.Top, filepath.FromSlash(t.name)), text, 0o666); err != nil {
		return brokenf("write %s: %v", t.called, err)
	}
	return nil
}

// entryOf reads the plugin of a source, keeps it if it was fetched, and says how it
// is written down.
func (a *app) entryOf(ctx context.Context, t *configTarget, source string) (config.Entry, *plugin.Plugin, error) {
	if !strings.Contains(source, "://") {
		return a.entryOfFile(t, source)
	}
	plug, err := a.fetched(ctx, source)
	if err != nil {
		return config.Entry{}, nil, err
	}
	if _, err := (store.Store{Dir: a.env.storeDir}).Put(plug.Wasm); err != nil {
		return config.Entry{}, nil, brokenf("%v", err)
	}
	return config.Entry{Name: plug.Name, Source: source, SHA256: plug.SHA256()}, plug, nil
}

func (a *app) entryOfFile(t *configTarget, file string) (config.Entry, *plugin.Plugin, error) {
	below, inside := t.files.Below(a.absolute(file))
	dir := path.Dir(t.name)
	if dir != "." {
		below, inside = strings.CutPrefix(below, dir+"/")
	}
	if !inside {
		return config.Entry{}, nil, usagef("the file %s is not below the directory of %s, where others would find it; copy it there, or publish it and add its https:// or oci:// source", file, t.called)
	}
	wasm, err := readWasm(a.absolute(file), limits.Default())
	if err != nil {
		return config.Entry{}, nil, err
	}
	plug, err := plugin.ReadPlugin(file, wasm, "", limits.Default())
	if err != nil {
		return config.Entry{}, nil, failed(file, fault.From(err, fault.ABI))
	}
	return config.Entry{Name: plug.Name, Path: below, SHA256: plug.SHA256()}, plug, nil
}

// fetched brings a plugin and reads its manifest; none of its code runs.
func (a *app) fetched(ctx context.Context, text string) (*plugin.Plugin, error) {
	source, err := fetch.Parse(text)
	if err != nil {
		return nil, usagef("%v", err)
	}
	wasm, err := fetcher().Get(ctx, source)
	if err != nil {
		return nil, brokenf("%v", err)
	}
	plug, err := plugin.ReadPlugin(text, wasm, "", limits.Default())
	if err != nil {
		return nil, failed(text, fault.From(err, fault.ABI))
	}
	return plug, nil
}

// refuseTaken keeps check from finding two plugins of one name.
func refuseTaken(p *plugin.Plugin, replace bool) error {
	if replace {
		return nil
	}
	builtIns, err := choose(nil, limits.Default())
	if err != nil {
		return err
	}
	if find(builtIns.list, p.Name) != nil {
		return usagef("a built-in plugin is called %q as well; say --replace if %s is to take its place", p.Name, p.Origin)
	}
	return nil
}
