package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/admit"
	"github.com/stategate/stategate/host/plugin/cache"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/presence"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

// openVerdicts opens the verdicts of earlier checks. Where there is no place for them, everything is examined anew; the
// worker says why when it finds no place for compiled plugins either.
func (s *Session) openVerdicts() {
	if s.Options.CacheDir == "" || s.Options.Version == "" {
		return
	}
	sum := sha256.Sum256([]byte(s.Workspace.Path))
	if v, err := cache.OpenVerdicts(s.Options.CacheDir, hex.EncodeToString(sum[:16]), s.Options.ReadOnly); err == nil {
		s.verdicts = v
	}
	if s.verdicts != nil && s.Worktree != nil && s.Options.Recall {
		s.memory = s.Worktree.Recall(s.verdicts.Seen(), time.Now())
	}
}

// verdict returns what a plugin says, with answers to what it asks for.
func (s *Session) verdict(ctx context.Context, c *comparison) (*exchange.Reply, error) {
	reply, err := s.reply(ctx, c)
	if err == nil && len(reply.Ask) > 0 && c.answers == nil { // what it asks for was remembered
		s.answer(ctx, c, reply.Ask)
		reply, err = s.reply(ctx, c)
	}
	if err == nil && len(reply.Ask) > 0 {
		return nil,
			fault.Newf(fault.Protocol, "the plugin asks for %q when it has its answers; every path must be asked "+
				"for in the first call", reply.Ask[0])
	}
	return reply, err
}

// reply returns the cached reply for the very same, or asks a worker.
func (s *Session) reply(ctx context.Context, c *comparison) (*exchange.Reply, error) {
	key, cached := s.cacheKey(c)
	if cached {
		if text, ok := s.remembered(c, key); ok {
			reply, err := s.admitted(c, text)
			if err == nil && reply.ValidAt(s.Options.Now) {
				return reply, nil
			}
			s.replies.Add(-int64(len(text)))
		}
	}
	s.misses.Add(1)
	if err := c.load(ctx); err != nil {
		return nil, err
	}
	in := s.input(c)
	// it has to ask again: what it is given must not depend on what was remembered
	in.Answers, in.Base.Answers = nil, nil
	payload, err := exchange.ExaminePayload(in)
	if err != nil {
		return nil, err
	}
	job := worker.Job{Plugin: worker.Plugin{SHA256: c.SHA256(), Size: c.Size, Wasm: c.Wasm}, Payload: payload}
	var reply *exchange.Reply
	if len(c.Manifest.Paths) > 0 {
		job.FollowUp = func(output []byte) ([][]byte, error) {
			c.answers, c.then = nil, nil // it may be done again
			if reply, err = s.admitted(c, output); err != nil || len(reply.Ask) == 0 {
				return nil, err
			}
			s.keep(c, reply, output)
			s.answer(ctx, c, reply.Ask)
			reply = nil
			return exchange.AnswersPayload(c.answers, c.then), nil
		}
	}
	answer, failed := s.pool.Do(ctx, job)
	c.stderr, c.warnings = answer.Stderr, answer.Warnings
	if failed != nil {
		return nil, failed
	}
	if reply == nil {
		if reply, err = s.admitted(c, answer.Payload); err != nil {
			return nil, err
		}
	}
	s.keep(c, reply, answer.Payload)
	return reply, nil
}

// remembered returns the reply that was kept under a key. One that has more than is asked for will do.
func (s *Session) remembered(c *comparison, key [32]byte) ([]byte, bool) {
	if text, ok := s.verdicts.Get(s.keptAs(c, key)); ok || !s.noResume(c) {
		return text, ok
	}
	return s.verdicts.Get(key)
}

// noResume reports whether nobody reads State and Resume of the detections.
func (s *Session) noResume(c *comparison) bool { return s.Options.NoResume && !c.former }

// keptAs is the key of a reply as it is asked for now: one without resumes has a key of its own.
func (s *Session) keptAs(c *comparison, key [32]byte) [32]byte {
	if s.noResume(c) {
		key[0] ^= 1
	}
	return key
}

// keep remembers a reply, if it will be the same next time.
func (s *Session) keep(c *comparison, reply *exchange.Reply, text []byte) {
	if c.Now.Unstable || len(c.Now.Unseen) > 0 || reply.Failure != "" ||
		len(reply.RuleFailures)+len(reply.Refused) > 0 {
		return
	}
	if key, cached := s.cacheKey(c); cached {
		slot := sha256.Sum256(fmt.Append(nil, c.Name, "\x00", c.Now.Root, "\x00", len(reply.Ask) > 0, s.noResume(c)))
		s.verdicts.Put(s.keptAs(c, key), [8]byte(slot[:8]), text)
	}
}

// mostReplies bounds what all plugins report in one check, in bytes: some 60,000 runs.
const mostReplies = 64 << 20

// admitted reads a reply and refuses what no honest worker says.
func (s *Session) admitted(c *comparison, payload []byte) (*exchange.Reply, error) {
	if s.replies.Add(int64(len(payload))) > mostReplies {
		return nil,
			fault.Newf(fault.Limit, "the plugins have reported more than %d MiB in this check; check some PATHs at "+
				"a time", mostReplies>>20)
	}
	reply, err := exchange.DecodeReply(payload)
	if err == nil {
		err = admit.Reply(c.Manifest, c.Now.Root, reply, s.Options.Limits)
	}
	if err != nil {
		return nil, fault.Newf(fault.Protocol, "the worker's reply is rejected: %v", err)
	}
	return reply, nil
}

// cacheKey is a digest of all that a verdict depends on but the clock: the
// host, the plugin, the limits and everything that the plugin comes to know.
func (s *Session) cacheKey(c *comparison) (key [32]byte, ok bool) {
	if s.verdicts == nil {
		return key, false
	}
	text, err := json.Marshal([]any{
		c.key(), c.Now.Root, s.nameOf(c.Now.Root), c.source, c.Now.Unseen, c.ignored, c.Now.Digest, c.Past.State,
		c.Past.Root, c.Past.Digest,
	})
	for _, list := range [][]wire.Answer{c.answers, c.then} {
		text = append(text, '\n')
		for _, a := range list {
			text = append(append(text, a.Path...), 0, byte(a.Presence))
		}
	}
	return sha256.Sum256(text), err == nil
}

// pluginKey tells what all verdicts of a plugin depend on.
func (s *Session) pluginKey(p *plugin.Plugin) string {
	return fmt.Sprintf("%q %s %+v %q", s.Options.Version, p.SHA256(), s.Options.Limits,
		s.Options.PluginOptions[p.Name].JSON)
}

// maxAnswers is how many paths are answered in one check. It is shared out among the state directories whose plugins
// may ask, so that no answer depends on which of them is examined first; see asking.
const maxAnswers = 20_000

// answer answers what a plugin asks for. What the configuration refuses to tell it, and what is too much, is unseen.
func (s *Session) answer(ctx context.Context, c *comparison, ask []string) {
	now, then := c.presence, s.witness(ctx, c.Past.Tree)
	if slices.Contains(s.Options.RefusePaths, c.Name) {
		now, then = nil, nil
	}
	most := min(s.asking().share(s.changed(c.Now.Root)), len(ask))
	some, rest := ask[:most], ask[most:]
	var unknown *presence.Witness
	c.answers = append(now.Answer(some), unknown.Answer(rest)...)
	c.then = append(then.Answer(some), unknown.Answer(rest)...)
	if c.asked, c.unanswered = len(ask), 0; now != nil {
		c.unanswered = len(rest) + len(ask)/wire.MaxAsk // it may have more questions than it may ask
	}
}

// unlooked notes how many paths were asked for and not looked up, because one check answers so many: no finding says
// that they are missing.
func (s *Session) unlooked() {
	if len(s.partly) == 0 {
		return
	}
	slices.SortFunc(s.partly, func(a, b *comparison) int {
		return cmp.Or(discover.ComparePaths(a.Now.Root, b.Now.Root), strings.Compare(a.Name, b.Name))
	})
	asked, left, least, more := 0, 0, "", ""
	for _, c := range s.partly {
		asked, left = asked+c.asked, left+c.unanswered
		if c.asked == wire.MaxAsk {
			least, more = "at least ", "more than "
		}
	}
	first, where, cure := s.partly[0], "here", "divide what is here into several state directories"
	if n := len(s.partly); n > 1 {
		where = fmt.Sprintf("here and in %d more state directories", n-1)
	}
	if a := s.asking(); a.touched+a.others > 1 {
		cure = "check some PATHs at a time"
	}
	s.result.Notes = append(s.result.Notes, result.Note{Kind: result.PathsUnseen,
		Place: result.Place{Path: first.Now.Root}, Message: fmt.Sprintf(
			"%s%d of %s%d paths that are asked about %s were not looked up, so that no finding says which of them are "+
				"missing; %s", least, left, more, asked, where, cure)})
}

// An asking is how many state directories there are whose plugins may ask.
type asking struct {
	touched, others int // by the change, as far as it is known
}

// share is how many paths are answered for one of them: those of the change have half of all, where there are others.
func (a asking) share(touched bool) int {
	most, among := maxAnswers, a.others
	if touched {
		among = a.touched
	}
	if a.touched > 0 && a.others > 0 {
		most /= 2
	}
	return most / max(1, among)
}

func (s *Session) countAsking() (a asking) {
	if s.found == nil {
		return a
	}
	for _, i := range s.found.Instances {
		switch p := s.Plugins[i.Plugin]; {
		case p == nil || len(p.Manifest.Paths) == 0:
		case s.changed(i.Root):
			a.touched++
		default:
			a.others++
		}
	}
	return a
}

// witness returns the witness of a commit, nil for none. There is one for each.
func (s *Session) witness(ctx context.Context, t *tree.Listed) *presence.Witness {
	if t == nil {
		return nil
	}
	s.witnessing.Lock()
	defer s.witnessing.Unlock()
	if s.witnesses[t.ID] == nil {
		s.witnesses[t.ID] = presence.Of(ctx, s.Workspace.Repo, t)
	}
	return s.witnesses[t.ID]
}

// PluginOptions are what a project sets for one plugin.
type PluginOptions struct {
	JSON string // an object, as the plugin's own schema has it
	// names the place of what is at an RFC 6901 pointer, or of its key, for an error
	At func(pointer string, key bool) string
}

// checkOptions holds the options of every plugin against its schema, in a worker: the
// schema is the plugin's, the options are the repository's. What was right once is remembered.
func (s *Session) checkOptions(ctx context.Context) error {
	for _, p := range s.result.Plugins {
		o, ok := s.Options.PluginOptions[p.Name]
		if !ok {
			continue
		}
		text, err := json.Marshal([]string{"options", s.Options.Version, p.SHA256(), o.JSON})
		if err != nil {
			return err
		}
		key := sha256.Sum256(text)
		if s.verdicts != nil {
			if _, ok := s.verdicts.Get(key); ok {
				continue
			}
		}
		f, err := s.askOptions(ctx, p, o.JSON)
		if err != nil {
			s.fail(p.Name, "", fault.From(err, fault.Protocol))
			continue
		}
		if f.Message != "" {
			return o.wrong(p.Name, f)
		}
		if s.verdicts != nil {
			slot := sha256.Sum256([]byte("options of " + p.Name))
			s.verdicts.Put(key, [8]byte(slot[:8]), []byte("{}"))
		}
	}
	return nil
}

// wrong is the error for options that the schema refuses, with what a wrong name could have been. That of a value is
// named with all others already.
func (o *PluginOptions) wrong(plugin string, f *exchange.OptionsFault) error {
	place, hint := "options of "+plugin, ""
	if o.At != nil {
		place = o.At(f.Pointer, f.Key)
	}
	if f.Key {
		hint = "; " + suggest.OneOf(f.Found, f.Among)
	} else if near := suggest.Nearest(f.Found, f.Among); f.Found != "" && near != "" {
		hint = "; did you mean " + near + "?"
	}
	return fault.Usagef("%s: %s%s; `stategate plugin inspect %s` shows the schema", place, f.Message, hint, plugin)
}

// askOptions needs no code of the plugin: the worker loads none.
func (s *Session) askOptions(ctx context.Context, p *plugin.Plugin, options string) (*exchange.OptionsFault, error) {
	payload, err := exchange.OptionsPayload(p.ManifestText, options)
	if err != nil {
		return nil, err
	}
	answer, failed := s.pool.Do(ctx, worker.Job{Payload: payload})
	if failed != nil {
		return nil, failed
	}
	return exchange.DecodeOptionsFault(answer.Payload)
}
