package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// The protocol's error codes.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeNotInitialized = -32002
	codeFailed         = -32803
	codeModified       = -32801
	codeCancelled      = -32800
)

// A wireError is an error in the protocol's form.
type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *wireError) Error() string { return e.Message }

// A message is a request, a notification (no ID) or a response (no Method).
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Error  *wireError      `json:"error"`
}

const maxMessage = 256 << 20 // bytes

// receive reads one message, and returns io.EOF at the end of the input.
func receive(r *bufio.Reader) (*message, error) {
	head, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil || n < 0 || n > maxMessage {
		return nil, fmt.Errorf("Content-Length %q is not a valid number of bytes", head.Get("Content-Length"))
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	m := &message{}
	if err := json.Unmarshal(body, m); err != nil {
		return nil, &wireError{codeParse, err.Error()}
	}
	return m, nil
}

// A client sends messages to the editor. It is safe for concurrent use.
type client struct {
	mu      sync.Mutex
	w       io.Writer
	next    int
	waiting map[string]chan *wireError // requests to the editor, by id
	running map[string]context.CancelCauseFunc
}

func (c *client) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return // cannot happen: everything that is sent can be encoded
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.w, "Content-Length: %d\r\n\r\n%s", len(body), body) // reading notices if the editor has left
}

func (c *client) notify(method string, params any) {
	c.send(map[string]any{"method": method, "params": params})
}

func (c *client) request(ctx context.Context, method string, params any) error {
	c.mu.Lock()
	c.next++
	id := c.next
	answer := make(chan *wireError, 1)
	c.waiting[strconv.Itoa(id)] = answer
	c.mu.Unlock()
	c.send(map[string]any{"id": id, "method": method, "params": params})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-answer:
		if err != nil {
			return err
		}
		return nil
	}
}

func (c *client) answered(m *message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.waiting[string(m.ID)]; answer != nil {
		delete(c.waiting, string(m.ID))
		answer <- m.Error
	}
}

// begin registers a request from the editor, so that the editor can cancel it.
func (c *client) begin(ctx context.Context, id json.RawMessage) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[string(id)] = cancel
	return ctx
}

func (c *client) cancel(id json.RawMessage, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.running[string(id)]; cancel != nil {
		cancel(why)
		delete(c.running, string(id))
	}
}

var errCancelled = &wireError{codeCancelled, "cancelled"}

func (c *client) answer(id json.RawMessage, result any, err error) {
	c.cancel(id, nil)
	var known *wireError
	switch {
	case err == nil:
		c.send(map[string]any{"id": id, "result": result})
		return
	case errors.Is(err, context.Canceled):
		known = errCancelled
	case !errors.As(err, &known):
		known = &wireError{codeFailed, err.Error()}
	}
	c.send(map[string]any{"id": id, "error": known})
}
