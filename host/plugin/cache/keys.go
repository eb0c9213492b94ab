package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/wire"
)

// PluginInputs are what every verdict of one plugin depends on.
type PluginInputs struct {
	HostVersion string
	Name        string
	SHA256      string // of the .wasm file
	Limits      limits.Limits
	Options     string // what the configuration sets for the plugin, in JSON
}

// A PluginKey stands for PluginInputs. It is made once per check, and not for each run.
type PluginKey struct {
	name   string
	digest [sha256.Size]byte
}

// Key returns the key of all verdicts of the plugin.
func (p PluginInputs) Key() PluginKey {
	return PluginKey{p.Name, digestOf(p.HostVersion, p.Name, p.SHA256, fmt.Sprintf("%+v", p.Limits), p.Options)}
}

// RunInputs are what the verdict on one run depends on, except the clock: what the reply says about it is compared
// with the clock when the reply is used.
type RunInputs struct {
	Plugin  PluginKey
	Root    string // of the run, from the workspace root
	Name    string // of the run, as the plugin gets it
	Source  wire.Source
	Digest  string   // of the documents and of all else that the plugin sees of the run
	Unseen  []string // globs of documents whose bytes are not available
	Ignored []string // globs of documents that git ignores
	Base    BaseInputs
	// Answers and BaseAnswers are to the paths that the plugin has asked for; nil as long as it has not.
	Answers, BaseAnswers []wire.Answer
	// Details is whether the reply has State and Resume of the detections.
	Details bool
}

// BaseInputs are the part of RunInputs that is about the state that the run is compared with.
type BaseInputs struct {
	State  wire.BaseState
	Root   string
	Digest string
}

// digest stands for all of the inputs but Details.
func (r *RunInputs) digest() [sha256.Size]byte {
	parts := []string{string(r.Plugin.digest[:]), r.Root, r.Name, r.Source.String(), r.Digest,
		r.Base.State.String(), r.Base.Root, r.Base.Digest}
	for _, globs := range [][]string{r.Unseen, r.Ignored} {
		parts = append(append(parts, strconv.Itoa(len(globs))), globs...)
	}
	for _, answers := range [][]wire.Answer{r.Answers, r.BaseAnswers} {
		parts = append(parts, strconv.Itoa(len(answers)))
		for _, a := range answers {
			parts = append(parts, a.Path, a.Presence.String())
		}
	}
	return digestOf(parts...)
}

// replyKey is the key of a reply about a run whose other inputs have a digest.
func replyKey(digest [sha256.Size]byte, details bool) [sha256.Size]byte {
	return digestOf("reply", string(digest[:]), strconv.FormatBool(details))
}

// slot names the replies that take each other's place: those of one plugin about one run, apart from each other what
// it asks for and what it says in the end, with details and without.
func (r *RunInputs) slot() [slotSize]byte {
	return slotOf("reply", r.Plugin.name, r.Root, strconv.FormatBool(r.Answers != nil), strconv.FormatBool(r.Details))
}

// Reply returns the reply that was kept about a run. One with details serves who asks for none. A nil v has none.
func (v *Verdicts) Reply(run *RunInputs) ([]byte, bool) {
	if v == nil {
		return nil, false
	}
	digest := run.digest()
	text, ok := v.Get(replyKey(digest, run.Details))
	if !ok && !run.Details {
		text, ok = v.Get(replyKey(digest, true))
	}
	return text, ok
}

// KeepReply keeps a reply about a run until Close writes it. A nil v keeps none.
func (v *Verdicts) KeepReply(run *RunInputs, reply []byte) {
	if v != nil {
		v.Put(replyKey(run.digest(), run.Details), run.slot(), reply)
	}
}

// optionsKey is the key of the verdict that a plugin's options are right.
func (p PluginKey) optionsKey() [sha256.Size]byte { return digestOf("options", string(p.digest[:])) }

// OptionsValid reports whether the options of the plugin are known to be right. A nil v knows of none.
func (v *Verdicts) OptionsValid(p PluginKey) bool {
	if v == nil {
		return false
	}
	_, ok := v.Get(p.optionsKey())
	return ok
}

// KeepOptionsValid remembers that the options of the plugin are right. A nil v does not.
func (v *Verdicts) KeepOptionsValid(p PluginKey) {
	if v != nil {
		v.Put(p.optionsKey(), slotOf("options", p.name), nil)
	}
}

// Description returns what was kept of a declaration whose reading depends on some inputs; ok is false if nothing was.
// A nil v keeps nothing.
func (v *Verdicts) Description(inputs ...string) (text []byte, ok bool) {
	if v == nil {
		return nil, false
	}
	return v.Get(digestOf(append(inputs, "declaration")...))
}

// KeepDescription keeps what a worker read from a declaration at a place until Close writes it. A nil v does not.
func (v *Verdicts) KeepDescription(text []byte, place string, inputs ...string) {
	if v != nil {
		v.Put(digestOf(append(inputs, "declaration")...), slotOf("declaration", place), text)
	}
}

// Seen returns what KeepSeen kept about the tree, "" for nothing.
func (v *Verdicts) Seen() string {
	text, _ := v.Get(digestOf(seenFormat))
	return string(text)
}

// seenFormat names what tree.Memory encodes; another encoding needs another name.
const seenFormat = "seen with object ids"

// KeepSeen keeps what was seen of the tree, if it is something, until Close writes it.
func (v *Verdicts) KeepSeen(text string) {
	if text != "" {
		v.Put(digestOf(seenFormat), slotOf(seenFormat), []byte(text))
	}
}

// WorkspaceName is the name under which OpenVerdicts finds the verdicts of the workspace at a path.
func WorkspaceName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

func slotOf(parts ...string) [slotSize]byte {
	sum := digestOf(parts...)
	return [slotSize]byte(sum[:])
}

// digestOf returns a digest of all parts, each with its length: no two lists of parts are taken for one.
func digestOf(parts ...string) [sha256.Size]byte {
	var text []byte
	for _, part := range parts {
		text = append(binary.AppendUvarint(text, uint64(len(part))), part...)
	}
	return sha256.Sum256(text)
}
