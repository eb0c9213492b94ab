package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A fake is a system whose limits and events a test decides.
type fake struct {
	limit  int // directories that it watches
	refuse error
	opened int
	events chan fsnotify.Event
	errors chan error
}

func (f *fake) open() (*source, error) {
	f.opened++
	events, errs := make(chan fsnotify.Event), make(chan error)
	f.events, f.errors = events, errs
	n := 0
	return &source{
		add: func(string) error {
			if n++; n > f.limit {
				return f.refuse
			}
			return nil
		},
		close:  func() error { close(events); close(errs); return nil },
		events: events, errors: errs,
	}, nil
}

// TestLimit: where the system watches no more it is polled, which is said with the
// cure; watching begins again when there is room.
func TestLimit(t *testing.T) {
	for _, refuse := range []error{syscall.ENOSPC, syscall.EMFILE, errors.New("other")} {
		f := &fake{limit: 1, refuse: refuse}
		o := soon
		o.Poll, o.Every = 10*time.Millisecond, 20*time.Millisecond
		w := newWatcher(o, f.open)
		w.Set([]string{"a", "b"})
		if w.Polling() == "" {
			t.Fatalf("%v is no limit", refuse)
		}
		for range 5 {
			if c, err := w.Wait(context.Background(), 0); err != nil || !c.All {
				t.Fatalf("got %v, %v", c, err)
			}
			w.Set([]string{"a", "b"})
		}
		if f.opened < 2 || f.opened > 5 {
			t.Errorf("it was tried %d times", f.opened)
		}
		f.limit = 2
		for w.Polling() != "" {
			_, _ = w.Wait(context.Background(), 0)
			w.Set([]string{"b", "a"})
		}
		changed(t, w)
		w.Close()
	}
}

func TestTooMany(t *testing.T) {
	f := &fake{limit: maxDirs}
	w := newWatcher(soon, f.open)
	dirs := make([]string, maxDirs+1)
	for i := range dirs {
		dirs[i] = fmt.Sprint(i)
	}
	w.Set(dirs)
	if f.opened != 0 || w.Polling() == "" {
		t.Errorf("%d directories are watched", len(dirs))
	}
}

// TestOverflow: when events got lost, all is watched anew and looked at.
func TestOverflow(t *testing.T) {
	f := &fake{limit: 9}
	w := newWatcher(soon, f.open)
	defer w.Close()
	w.Set([]string{"a"})
	changed(t, w)
	f.errors <- fsnotify.ErrEventOverflow
	changed(t, w)
	w.Set([]string{"a"})
	if f.opened != 2 {
		t.Errorf("it was watched anew %d times", f.opened-1)
	}
	changed(t, w)
}

// TestWhy: the cure is named.
func TestWhy(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENOSPC: "raise fs.inotify.max_user_watches", &os.PathError{Err: syscall.EMFILE}: "raise ulimit -n", errors.New("x"): "x",
	} {
		if got := why(err); !strings.Contains(got, want) {
			t.Errorf("%v: got %q", err, got)
		}
	}
}
