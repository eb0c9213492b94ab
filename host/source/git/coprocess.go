package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/exec"

	"github.com/stategate/stategate/host/fault"
)

// A coprocess is a git command that answers one question after another until its stdin ends.
type coprocess struct {
	name   string // of the subcommand
	repo   *Repo
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
}

func (r *Repo) start(ctx context.Context, args ...string) (*coprocess, error) {
	cmd, stderr := r.command(ctx, args...)
	in, err := cmd.StdinPipe()
	var out io.Reader
	if err == nil {
		out, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, r.failed(args[0], err, stderr)
	}
	return &coprocess{args[0], r, cmd, in, bufio.NewReaderSize(out, 64<<10), stderr}, nil
}

// ask writes the question while answer reads, so that neither pipe can fill up and hang both sides.
func (p *coprocess) ask(question []byte, answer func(*bufio.Reader) error) error {
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = p.in.Write(question) // a git that is gone is noticed by the reader
	}()
	err := answer(p.out)
	if err != nil {
		p.kill()
	}
	<-sent
	return err
}

// died returns the failure of a git that ended too early.
func (p *coprocess) died(err error) *fault.Failure {
	p.kill()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ended before it had answered")
	}
	return p.repo.failed(p.name, err, p.stderr)
}

// kill ends the process at once; wait is then short, and stderr complete.
func (p *coprocess) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
	}
	p.close()
}

// close lets the process end by itself.
func (p *coprocess) close() {
	_ = p.in.Close()
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Wait()
	}
}
