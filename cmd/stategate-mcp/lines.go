package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport serves a client that writes one message per line. The SDK stops at the first invalid line; this transport
// answers such a line with an error and reads the next one.
func transport(in io.ReadCloser, out io.WriteCloser) mcp.Transport {
	w := &whole{WriteCloser: out}
	return &mcp.IOTransport{Reader: &lines{Closer: in, in: bufio.NewReader(in), out: w}, Writer: w, MaxLineLength: -1}
}

// whole writes each message as a unit, so that concurrent messages do not interleave.
type whole struct {
	mu sync.Mutex
	io.WriteCloser
}

func (w *whole) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}

const maxLine = 16 << 20 // bytes

type lines struct {
	io.Closer
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of messages already read from in, not yet returned
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, end := l.line()
		messages, bad := messagesOf(bytes.TrimSpace(line))
		if bad != nil {
			refusal, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": bad})
			if err == nil {
				_, err = l.out.Write(append(refusal, '\n'))
			}
			if err != nil {
				return 0, err
			}
		}
		for _, m := range messages {
			l.rest = append(append(l.rest, m...), '\n')
		}
		if end != nil && len(l.rest) == 0 {
			return 0, end
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line returns the next line, or its beginning if it is too long.
func (l *lines) line() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLine+2-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// messagesOf returns the messages on a line: one, those in a batch, or none if the line is empty.
func messagesOf(line []byte) (messages []json.RawMessage, bad *jsonrpc.Error) {
	messages = []json.RawMessage{line}
	switch {
	case len(line) == 0:
		return nil, nil
	case len(line) > maxLine:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
			Message: fmt.Sprintf("the line is longer than %d MB", maxLine>>20)}
	case !json.Valid(line):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not valid JSON"}
	case line[0] == '[':
		if err := json.Unmarshal(line, &messages); err != nil || len(messages) == 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the batch is empty"}
		}
	}
	for _, m := range messages {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
				Message: "the line is not a JSON-RPC 2.0 message: " + err.Error()}
		}
	}
	return messages, nil
}
