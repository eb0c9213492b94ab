package main

import (
	"context"
	"os"
	"sync"
	"time"
)

// news are what the view has to show next. The checks never wait for the view: what it
// has not shown yet is replaced by what is newer.
type news struct {
	lock     sync.Mutex
	saw      *looked
	progress *looking
	ready    chan struct{} // holds one: there is something
}

func newNews() *news { return &news{ready: make(chan struct{}, 1)} }

func (n *news) show(saw looked) { n.post(func() { n.saw, n.progress = &saw, nil }) }
func (n *news) tell(p looking)  { n.post(func() { n.progress = &p }) }

func (n *news) post(set func()) {
	n.lock.Lock()
	defer n.lock.Unlock()
	set()
	select {
	case n.ready <- struct{}{}:
	default: // the view knows already
	}
}

// hand returns a board what is new.
func (n *news) hand(b *board) {
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.saw != nil {
		b.take(*n.saw)
	}
	if n.progress != nil {
		b.tell(*n.progress)
	}
	n.saw, n.progress = nil, nil
}

// A view shows a board on a screen and does what keys say.
type view struct {
	*screen
	board             *board
	news              *news
	resize, continued chan os.Signal
}

func newView(in, out *os.File, first looked, s style) *view {
	return &view{
		screen: &screen{in: in, out: out}, board: newBoard(first, 80, 24, s), news: newNews(),
		resize: make(chan os.Signal, 1), continued: make(chan os.Signal, 1),
	}
}

// run shows the view until the user leaves it, ctx ends or the terminal goes away.
func (v *view) run(ctx context.Context) error {
	keys := v.typed()
	for {
		if err := v.draw(v.board.frame()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case k, ok := <-keys:
			if !ok || k == keyQuit {
				return nil
			}
			if err := v.press(k); err != nil {
				return err
			}
		case <-v.news.ready:
			v.news.hand(v.board)
		case <-v.resize:
			if v.resized() {
				v.board.resize(v.width, v.height)
			}
		case <-v.continued: // the shell has had the terminal meanwhile
			if err := v.begin(); err != nil {
				return err
			}
		}
	}
}

// begin takes the terminal over.
func (v *view) begin() error {
	err := v.enter()
	v.board.resize(v.width, v.height)
	return err
}

func (v *view) press(k key) error {
	switch k {
	case keyRedraw:
		return v.begin()
	case keySuspend:
		v.leave()
		suspend()
		select {
		case <-v.continued:
		case <-time.After(moment): // nothing stops a process that no shell looks after
		}
		return v.begin()
	}
	v.board.press(k)
	return nil
}
