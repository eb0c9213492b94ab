package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// absent reports whether a document surely does not exist.
//
//go:noinline
func (m *model) absent(path string) bool { return m.docs.Get(path) == nil && m.docs.Known(path) }

func contextMissing(l *look) {
	if l.m.state.phase >= execute && l.m.absent(contextPath) {
		l.whole(contextPath, "phase is "+l.m.state.phase.String()+" but there is no context.md")
		l.manual("Write context.md", "write what an iteration must know in less than 200 words")
	}
}

func contextTooLong(l *look) {
	if d := l.m.docs.Get(contextPath); d != nil && d.Summary.Words >= 200 {
		l.whole(contextPath, "context.md has "+itoa(d.Summary.Words)+" words, expected fewer than 200")
		l.manual("Shorten it", "keep what every iteration needs; move the rest to plan.md or guardrails.md")
	}
}

func briefIncomplete(l *look) {
	m := l.m
	if m.state.phase < plan {
		return
	}
	switch lacks := m.briefLacks(); {
	case m.absent(briefPath):
		l.whole(briefPath, "phase is "+m.state.phase.String()+" but there is no brief.md")
	case lacks != nil:
		l.whole(briefPath, "brief.md has no text for "+strings.Join(lacks, " and "))
	default:
		return
	}
	l.manual("Complete the brief", "say in brief.md what the user wants (Outcome) and when it is done (Done When)")
}

// briefLacks lists the sections that a brief must have and has not, nil if it
// cannot be read.
func (m *model) briefLacks() []string {
	d := m.docs.Get(briefPath)
	if !d.Readable() {
		return nil
	}
	var outcome, criteria bool
	list := sections(d)
	for i := range list {
		s := &list[i]
		outcome = outcome || s.content && s.begins("Outcome")
		criteria = criteria || s.content && s.begins("Done When", "Acceptance")
	}
	var lacks []string
	if !outcome {
		push(&lacks, "Outcome")
	}
	if !criteria {
		push(&lacks, "Done When")
	}
	return lacks
}

func malformedGuardrail(l *look) {
	list := sections(l.m.docs.Get(lessonsPath))
	for i := range list {
		s := &list[i]
		if s.level == 2 && s.field("Problem") == nil && s.field("Solution", "Do") == nil {
			l.tell(lessonsPath, "", s.start, s.end, "", short(s.title), "the lesson "+quote(short(s.title))+" has neither Problem nor Solution")
			l.manual("Complete the lesson", "say what went wrong (Problem) and how to avoid it (Solution)")
		}
	}
}

func guardrailRemoved(l *look) {
	m := l.m
	was, is := m.base.docs.Get(lessonsPath), m.docs.Get(lessonsPath)
	if !was.Readable() || is == nil && !m.docs.Known(lessonsPath) || is != nil && !is.Readable() {
		return
	}
	before, now := sections(was), sections(is)
	for i := range before {
		s := &before[i]
		if s.level != 2 {
			continue
		}
		text := strings.Fields(was.Text[s.end:s.stop])
		same, moved := lessonNow(now, is, s.title, text)
		switch {
		case same == nil && !moved:
			l.tell(lessonsPath, "", 0, 0, "", short(s.title), "the lesson "+quote(short(s.title))+" is gone")
			l.putLessonBack(was, s, nil)
		case same != nil && len(strings.Fields(is.Text[same.end:same.stop])) < len(text):
			l.tell(lessonsPath, "", same.start, same.end, "", short(s.title), "the lesson "+quote(short(s.title))+" has fewer words than before")
			l.lower()
			l.putLessonBack(was, s, same)
		}
	}
}

// lessonNow finds a lesson by its title, and whether its text stands under
// another one. Of several with the title it is the longest.
func lessonNow(now []section, is *sdk.Document, title string, words []string) (same *section, moved bool) {
	text := strings.Join(words, " ")
	for i := range now {
		s := &now[i]
		if s.level != 2 {
			continue
		}
		if s.title == title && (same == nil || s.stop-s.end > same.stop-same.end) {
			same = s
		}
		moved = moved || text != "" && strings.Contains(strings.Join(strings.Fields(is.Text[s.end:s.stop]), " "), text)
	}
	return same, moved
}

func (l *look) putLessonBack(was *sdk.Document, s, same *section) {
	is := l.m.docs.Get(lessonsPath)
	text := strings.TrimRight(was.Text[s.start:s.stop], " \t\r\n") + "\n"
	switch {
	case is == nil:
		if o := l.offer(sdk.Review, "Restore guardrails.md from base"); o != nil {
			o.sure = true
			o.edit(wire.Restore, lessonsPath, "", "")
		}
	case fragile(text) || fragile(is.Text):
		l.manual("Put the lesson back", "add the lesson "+short(s.title)+" to guardrails.md again")
	default:
		o := l.offer(sdk.Review, "Put the lesson back")
		if o == nil {
			return
		}
		o.sure = true
		if same != nil {
			o.replace(lessonsPath, same.start, same.stop, text)
			if same.stop < len(is.Text) {
				o.Edits[0].New += "\n"
			}
			return
		}
		end := len(strings.TrimRight(is.Text, " \t\r\n"))
		if end > 0 {
			text = "\n\n" + text
		}
		o.replace(lessonsPath, end, len(is.Text), text)
	}
}

// hasOutput reports whether any file lies in an output directory, other than
// one that keeps the directory in git while its files are ignored.
//
//go:noinline
func (m *model) hasOutput() bool {
	for _, d := range m.docs.All() {
		if strings.IndexByte(d.Path, '/') > 0 && !strings.Contains(d.Path, "/.") {
			return true
		}
	}
	return false
}

func missingOutput(l *look, ph *phase) {
	if ph.status != done || ph.item == nil {
		return
	}
	m := l.m
	for _, path := range ph.item.outputs(m.root) {
		if m.docs.Get(path) != nil || !m.docs.Known(path) || strings.HasSuffix(path, "/") && m.below(path) {
			continue
		}
		l.item(ph.item, path, ph.id+" is done but "+path+" does not exist")
		if !m.hasOutput() {
			l.lower()
		}
		if l.finding != nil && l.trial == nil {
			l.finding.Related = []sdk.Related{{Range: sdk.AtPointer(statePath, "/phases/"+ph.id+"/status"), Message: ph.id + " is done"}}
		}
		l.manual("Restore it", "restore "+path)
		l.manual("Name the right path", "name the path in the plan under which the output lies")
		l.manual("Reopen the phase", "append a Revise entry to progress.md and set "+ph.id+" to in_progress")
	}
}

// below reports whether a file lies below a directory, or may.
//
//go:noinline
func (m *model) below(dir string) bool {
	if !m.docs.Known(dir + "x") {
		return true
	}
	for _, d := range m.docs.All() {
		if strings.HasPrefix(d.Path, dir) {
			return true
		}
	}
	return false
}

func emptyOutput(l *look, ph *phase) {
	if ph.status != done || ph.item == nil {
		return
	}
	for _, path := range ph.item.outputs(l.m.root) {
		d := l.m.docs.Get(path)
		if d == nil || len(d.Faults) > 0 || d.Size > 0 && (d.Need == sdk.Listed || d.Summary.Words > 0) {
			continue
		}
		l.tell(path, "", 0, 0, ph.id, "", ph.id+" is done but "+path+" is empty")
		l.manual("Write it", "write "+path+", or set "+ph.id+" back")
	}
}

func unfilledPlaceholder(l *look) {
	m := l.m
	if m.state.phase < execute {
		return
	}
	if d := m.docs.Get(briefPath); d.Readable() {
		l.placeholders(d)
	}
	for _, d := range m.plan.docs {
		if len(d.sections) > 0 {
			l.fields(d.Path, &d.sections[0])
		}
	}
	for _, it := range m.plan.items {
		if p := placeholder(it.title); p != "" {
			l.unfilled(it.doc.Path, it.start, it.end, p)
		}
		for i := range it.subs {
			if f := &it.subs[i]; !alike(f.key, "Output") && !alike(f.key, "Outputs") {
				l.field(it.doc.Path, f)
			}
		}
	}
	for _, e := range m.log.entries {
		for _, key := range [...]string{"Did", "Remaining", "Blockers", "Signal"} {
			if f := e.field(key); f != nil {
				l.field(logPath, f)
			}
		}
	}
	list := sections(m.docs.Get(lessonsPath))
	for i := range list {
		s := &list[i]
		if p := placeholder(s.title); p != "" {
			l.unfilled(lessonsPath, s.start, s.end, p)
		} else if s.level == 2 {
			for n := range s.fields {
				if l.field(lessonsPath, &s.fields[n]) {
					break
				}
			}
		}
	}
	list = sections(m.docs.Get(contextPath))
	for i := range list {
		l.fields(contextPath, &list[i])
	}
}

//go:noinline
func (l *look) unfilled(path string, start, end int, text string) {
	l.tell(path, "", start, end, "", text, text+" is a placeholder of the template")
	l.manual("Fill it in", "write what "+text+" stands for")
}

func (l *look) fields(path string, s *section) {
	for i := range s.fields {
		l.field(path, &s.fields[i])
	}
}

// field reports whether a field has a placeholder.
//
//go:noinline
func (l *look) field(path string, f *field) bool {
	p := placeholder(f.value)
	for i := 0; p == "" && f.value == "" && i < len(f.items); i++ {
		p = placeholder(f.items[i])
	}
	if p != "" {
		l.unfilled(path, f.start, f.end, p)
	}
	return p != ""
}

// placeholders looks at all headings, fields and lines of a document.
func (l *look) placeholders(d *sdk.Document) {
	o := d.Outline()
	for i := range o.Nodes {
		n := &o.Nodes[i]
		switch n.Kind {
		case markdown.KindHeading, markdown.KindParagraph, markdown.KindTask, markdown.KindValue:
		default:
			continue
		}
		at := n.Start
		if n.Kind == markdown.KindTask {
			at += len("[ ]")
		}
		for at < n.End {
			stop := at + strings.IndexByte(o.Text[at:n.End]+"\n", '\n')
			line := strings.TrimLeft(o.Text[at:stop], "# \t>")
			if p := placeholder(markdown.Plain(line)); p != "" {
				l.unfilled(d.Path, stop-len(line), stop, p)
			}
			at = stop + 1
		}
	}
}
