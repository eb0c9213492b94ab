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

// PluginInputs are the inputs that all of a plugin's verdicts depend on.
type PluginInputs struct {
	HostVersion string
	Name        string
	SHA256      string // of the .wasm file
	Limits      limits.Limits
	Options     string // the plugin's settings in the configuration, in JSON
}

// A PluginKey stands for PluginInputs. It is computed once per check rather than for each run.
type PluginKey struct {
	name   string
	digest [sha256.Size]byte
}

// Key returns the key for all of the plugin's verdicts.
func (p PluginInputs) Key() PluginKey {
	return PluginKey{p.Name, digestOf(p.HostVersion, p.Name, p.SHA256, fmt.Sprintf("%+v", p.Limits), p.Options)}
}

// RunInputs are the inputs that the verdict on one run depends on, except the clock. Parts of a reply that depend
// on the time are evaluated when the reply is used.
type RunInputs struct {
	Plugin  PluginKey
	Root    string // relative to the workspace
	Name    string // as the plugin receives it
	Source  wire.Source
	Digest  string   // of the documents and everything else about the run that the plugin sees
	Unseen  []string // globs of documents whose bytes are not available
	Ignored []string // globs of documents that git ignores
	Base    BaseInputs
	// Answers and BaseAnswers are the answers about the paths that the plugin asked for. They are nil until it asks.
	Answers, BaseAnswers []wire.Answer
	// Details reports whether the reply includes State and Resume of the detections.
	Details bool
}

// BaseInputs are the RunInputs that concern the earlier state that the run is compared with.
type BaseInputs struct {
	State  wire.BaseState
	Root   string
	Digest string
}

// digest returns a digest of all inputs except Details.
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

// replyKey returns the key of a reply, given the digest of its run's other inputs.
func replyKey(digest [sha256.Size]byte, details bool) [sha256.Size]byte {
	return digestOf("reply", string(digest[:]), strconv.FormatBool(details))
}

// slot identifies replies that replace each other: those of one plugin about one run. Questions and final replies
// have different slots, and so do replies with and without details.
func (r *RunInputs) slot() [slotSize]byte {
	return slotOf("reply", r.Plugin.name, r.Root, strconv.FormatBool(r.Answers != nil), strconv.FormatBool(r.Details))
}

// Reply returns the cached reply about a run. A reply with details also serves callers that need no details.
func (v *Verdicts) Reply(run *RunInputs) ([]byte, bool) {
	digest := run.digest()
	text, ok := v.Get(replyKey(digest, run.Details))
	if !ok && !run.Details {
		text, ok = v.Get(replyKey(digest, true))
	}
	return text, ok
}

// KeepReply stores a reply about a run until Close writes it.
func (v *Verdicts) KeepReply(run *RunInputs, reply []byte) {
	v.Put(replyKey(run.digest(), run.Details), run.slot(), reply)
}

func (p PluginKey) optionsKey() [sha256.Size]byte { return digestOf("options", string(p.digest[:])) }

// OptionsValid reports whether the plugin's options are known to be valid.
func (v *Verdicts) OptionsValid(p PluginKey) bool {
	_, ok := v.Get(p.optionsKey())
	return ok
}

// KeepOptionsValid records that the plugin's options are valid.
func (v *Verdicts) KeepOptionsValid(p PluginKey) {
	v.Put(p.optionsKey(), slotOf("options", p.name), nil)
}

// Description returns the stored description of a declaration with these inputs. ok is false if there is none.
func (v *Verdicts) Description(inputs ...string) (text []byte, ok bool) {
	return v.Get(digestOf(append(inputs, "declaration")...))
}

// KeepDescription stores what a worker read from a declaration until Close writes it. place identifies the
// declaration.
func (v *Verdicts) KeepDescription(text []byte, place string, inputs ...string) {
	v.Put(digestOf(append(inputs, "declaration")...), slotOf("declaration", place), text)
}

// Seen returns the text that KeepSeen stored about the tree, or "" if there is nothing.
func (v *Verdicts) Seen() string {
	text, _ := v.Get(digestOf(seenFormat))
	return string(text)
}

// seenFormat names the encoding of tree.Memory. Another encoding needs another name.
const seenFormat = "seen with object ids"

// KeepSeen stores the encoded tree.Memory until Close writes it. It ignores an empty text.
func (v *Verdicts) KeepSeen(text string) {
	if text != "" {
		v.Put(digestOf(seenFormat), slotOf(seenFormat), []byte(text))
	}
}

// WorkspaceName returns the name under which OpenVerdicts finds the verdicts of the workspace at path.
func WorkspaceName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

func slotOf(parts ...string) [slotSize]byte {
	sum := digestOf(parts...)
	return [slotSize]byte(sum[:])
}

// digestOf returns a digest of all parts, each preceded by its length, so that different lists have different
// digests.
func digestOf(parts ...string) [sha256.Size]byte {
	var text []byte
	for _, part := range parts {
		text = append(binary.AppendUvarint(text, uint64(len(part))), part...)
	}
	return sha256.Sum256(text)
}
