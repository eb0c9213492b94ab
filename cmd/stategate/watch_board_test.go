package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// sample is what a check of n runs in three states gives.
func sample(n int) looked {
	saw := looked{anchor: "/repository", at: time.Date(2026, 3, 12, 16, 0, 7, 0, time.UTC)}
	for i := range n {
		saw.rows = append(saw.rows, print.Row{
			Root: fmt.Sprintf(".runs/%03d-安全-with-a-long-name", i), Plugin: "toy", Who: "run r" + fmt.Sprint(i), Phase: "write (claims done: ahead)",
			Errors: i % 2, Warnings: i % 3, Done: i, Total: n, Unit: "steps", State: wire.State(i % 3), First: "decide", Next: "go on", Picked: i == 1,
		})
	}
	return saw
}

var inked = regexp.MustCompile("\x1b\\[[0-9;]*m")

// shown is what a terminal of the size shows, without colours.
func shown(saw looked, width, height int, keys ...key) []string {
	b := newBoard(saw, width, height, style{color: true})
	for _, k := range keys {
		b.press(k)
	}
	return plainFrame(b)
}

func plainFrame(b *board) []string {
	frame := b.frame()
	for i := range frame {
		frame[i] = inked.ReplaceAllString(frame[i], "")
	}
	return frame
}

func TestBoard(t *testing.T) {
	got := strings.Join(shown(sample(3), 100, 30), "\n")
	for _, want := range []string{
		"stategate /repository  1 active  1 blocked  1 finished  1 error\n",
		"\n.runs/001-安全-with-a-long-name  toy  1 error  1 warning\n* run r1  write (claims done: ahead)  ███░░░░░░░ 1/3 steps  blocked\n    first: decide\n    next: go on\n",
		"\nq quits  checked at 16:00:07",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not show %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "scroll") {
		t.Error("there is nothing to scroll")
	}
}

// TestBoardFits: whatever the size of the terminal, there is a line for each of its rows,
// none wider, and the last one says how to leave.
func TestBoardFits(t *testing.T) {
	for _, n := range []int{0, 1, 200} {
		saw := sample(n)
		saw.unseen, saw.polling = []string{strings.Repeat("a failure ", 50)}, "the limit is reached"
		for _, size := range [][2]int{{80, 24}, {20, 10}, {8, 4}, {1, 4}, {200, 60}, {80, 1}, {0, 0}} {
			for _, k := range []key{keyHome, keyEnd} {
				lines := shown(saw, size[0], size[1], k)
				if len(lines) != size[1] {
					t.Errorf("%v: %d lines", size, len(lines))
				}
				for _, line := range lines {
					if print.Columns(line) > size[0] {
						t.Errorf("%v: too wide: %q", size, line)
					}
				}
				if size[0] > 7 && !strings.HasPrefix(lines[len(lines)-1], "q quits") {
					t.Errorf("%v: the last line is %q", size, lines[len(lines)-1])
				}
			}
		}
	}
}

// TestBoardCuts: a line that goes on is marked at its end, and only then.
func TestBoardCuts(t *testing.T) {
	l := line{{red, "ab"}, {"", "cd"}, {bold, "安"}}
	for width, want := range []string{"", "…", "a…", "ab…", "abc…", "abcd…", "abcd安", "abcd安"} {
		if got := (style{}).paint(l, width); got != want {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
	if got, want := (style{color: true}).paint(l, 5), "\x1b[31mab\x1b[mcd\x1b[1m…\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestBoardWithoutColor: with NO_COLOR nothing is sent but text.
func TestBoardWithoutColor(t *testing.T) {
	saw := sample(3)
	saw.err, saw.unseen = "gone", []string{"a failure"}
	for _, row := range newBoard(saw, 80, 24, style{}).frame() {
		if strings.ContainsRune(row, escape) {
			t.Errorf("a control sequence: %q", row)
		}
	}
}

// TestBoardScrolls: every line can be reached and the view never runs past the end.
func TestBoardScrolls(t *testing.T) {
	b := newBoard(sample(50), 80, 20, style{})
	n := len(b.body)
	for _, c := range []struct {
		keys string
		top  int
	}{
		{"", 0}, {"k", 0}, {"jj", 2}, {"jjk", 1}, {"f", 18}, {" ", 18}, {"fb", 0},
		{"G", n - 18}, {"Gjf", n - 18}, {"Gg", 0}, {"Gk", n - 19}, {"x", 0},
	} {
		b.top = 0
		keys, _ := keysIn(c.keys)
		for _, k := range keys {
			b.press(k)
		}
		if b.top != c.top {
			t.Errorf("%q: line %d, want %d", c.keys, b.top, c.top)
		}
	}
	b.press(keyEnd)
	b.resize(80, 400)
	if b.top != 0 {
		t.Error("on a large terminal the view stays past the end")
	}
	b.resize(80, 20)
	b.press(keyEnd)
	if b.take(looked{rows: b.rows[:1]}); b.top != 0 {
		t.Error("when runs go the view stays past the end")
	}
}

// TestBoardKeeps: a check that was not possible says why over what was found before; the
// next one that is takes the word back.
func TestBoardKeeps(t *testing.T) {
	b := newBoard(sample(2), 80, 24, style{})
	b.take(looked{err: "the tree is gone"})
	shows(t, b, "could not check: the tree is gone", "run r1")
	b.tell(looking{look: 1})
	shows(t, b, "q quits  checking")
	b.tell(looking{1, 3, 9})
	shows(t, b, "q quits  checking 3/9")
	b.take(looked{polling: "a limit", look: 1})
	b.tell(looking{1, 4, 9}) // it was under way when the check was over
	shows(t, b, "No run is here yet.", "checks every 2 s, because directories cannot be watched: a limit")
	got := strings.Join(plainFrame(b), "\n")
	for _, gone := range []string{"gone", "checking", "run r1"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q stays:\n%s", gone, got)
		}
	}
}

func shows(t *testing.T, b *board, want ...string) {
	t.Helper()
	got := strings.Join(plainFrame(b), "\n")
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("it does not show %q:\n%s", w, got)
		}
	}
}

// TestRows: what a board shows is sanitised, and says what status says.
func TestRows(t *testing.T) {
	text := strings.Join(shown(looked{rows: print.Rows(full(t)), unseen: print.Unseen(full(t)), anchor: print.Safe(hostile)}, 400, 40), "\n")
	if fault := commanding(text); fault != "" {
		t.Errorf("it holds %s", fault)
	}
	if !strings.Contains(text, "1/2 phases  blocked") || !strings.Contains(text, "failure: ") {
		t.Errorf("got\n%s", text)
	}
}

// TestBoardScrollsWithoutLayout: a frame of many runs costs what its rows cost, not what
// the runs cost.
func TestBoardScrollsWithoutLayout(t *testing.T) {
	few, many := newBoard(sample(20), 80, 24, style{}), newBoard(sample(3000), 80, 24, style{})
	cost := func(b *board) float64 {
		return testing.AllocsPerRun(20, func() { b.press(keyPageDown); b.frame() })
	}
	if few, many := cost(few), cost(many); many > 2*few {
		t.Errorf("a frame of 3000 runs takes %.0f allocations, one of 20 takes %.0f", many, few)
	}
}

func TestKeys(t *testing.T) {
	for input, want := range map[string][]key{
		"q": {keyQuit}, "\x03": {keyQuit}, "\x1a": {keySuspend}, "\x0c": {keyRedraw}, "kjb f": {keyUp, keyDown, keyPageUp, keyPageDown, keyPageDown}, "gG": {keyHome, keyEnd},
		"\x1b[A\x1b[B\x1bOA\x1bOB":        {keyUp, keyDown, keyUp, keyDown},
		"\x1b[5~\x1b[6~\x1b[5;2~":         {keyPageUp, keyPageDown, keyPageUp},
		"\x1b[H\x1b[F\x1bOH\x1bOF":        {keyHome, keyEnd, keyHome, keyEnd},
		"\x1b[1~\x1b[4~\x1b[7~\x1b[8~":    {keyHome, keyEnd, keyHome, keyEnd},
		"\x1b[1;5A":                       {keyUp},
		"x\x00é安\xff\r\n":                 nil,
		"\x1bq":                           {keyQuit}, // the escape key, then q
		"\x1b\x1b[A":                      {keyUp},
		"\x1b[200~\x1b[<0;1;1Mq":          {keyQuit}, // sequences that mean nothing here
		"\x1b[1\x03":                      {keyQuit}, // one that breaks off
		"\x1b[é":                          nil,
		"\x1b[" + strings.Repeat("1", 99): nil,
	} {
		got, rest := keysIn(input)
		if !slices.Equal(got, want) || rest != "" {
			t.Errorf("%q: got %v, rest %q; want %v", input, got, rest, want)
		}
	}
}

// TestKeysInPieces: a terminal may send the bytes of a key one by one.
func TestKeysInPieces(t *testing.T) {
	const input = "j\x1b[A\x1b[6~\x1bOFé\x1b[1;2Bq"
	want, _ := keysIn(input)
	var got []key
	rest := ""
	for i := range len(input) {
		var keys []key
		keys, rest = keysIn(rest + input[i:i+1])
		got = append(got, keys...)
	}
	if !slices.Equal(got, want) || rest != "" || len(want) != 6 {
		t.Errorf("got %v, rest %q; want %v", got, rest, want)
	}
}

// TestChangedRows: only what differs is written, each row erased before.
func TestChangedRows(t *testing.T) {
	for _, c := range []struct{ shown, frame, want string }{
		{"a b c", "a b c", ""},
		{"a b c", "a x c", "\x1b[2;1H\x1b[2Kx"},
		{"", "a b", "\x1b[2J\x1b[1;1H\x1b[2Ka\x1b[2;1H\x1b[2Kb"},
		{"a b c", "a b", "\x1b[2J\x1b[1;1H\x1b[2Ka\x1b[2;1H\x1b[2Kb"},
	} {
		if got := changedRows(strings.Fields(c.shown), strings.Fields(c.frame)); got != c.want {
			t.Errorf("%q over %q: got %q, want %q", c.frame, c.shown, got, c.want)
		}
	}
}

// TestNews: checks never wait for a view, which gets what is newest.
func TestNews(t *testing.T) {
	n, b := newNews(), newBoard(looked{}, 80, 24, style{})
	for look := range 100 {
		n.show(looked{look: look, at: time.Unix(int64(look), 0)})
		n.tell(looking{look + 1, look, 100})
	}
	<-n.ready
	if n.hand(b); b.look != 99 || b.progress != "checking 99/100" {
		t.Errorf("it shows %d, %q", b.look, b.progress)
	}
	select {
	case <-n.ready:
		t.Error("the same news come twice")
	default:
	}
}
