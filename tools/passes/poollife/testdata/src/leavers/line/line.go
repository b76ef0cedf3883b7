// Package line has a connection with a goroutine that writes, and no pool.
package line

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

type parcel struct {
	body     []byte
	answered chan error
}

type Conn struct {
	nc      net.Conn
	parcels chan *parcel
	gone    chan struct{}
	mu      sync.Mutex
	err     error
}

var ErrGone = errors.New("gone")

func (c *Conn) Run() {
	for {
		select {
		case p := <-c.parcels:
			_, err := c.nc.Write(p.body)
			p.answered <- err
		case <-c.gone:
			return
		}
	}
}

// Deliver gives up when ctx ends, and the connection writes all the same.
func (c *Conn) Deliver(ctx context.Context, body []byte) error {
	p := &parcel{body: body, answered: make(chan error, 1)}
	if err := c.pass(p); err != nil {
		return err
	}
	select {
	case err := <-p.answered:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Conn) pass(p *parcel) error {
	select {
	case c.parcels <- p:
		return nil
	case <-c.gone:
		return ErrGone
	}
}

// DeliverAll waits for the answer.
func (c *Conn) DeliverAll(body []byte) error {
	p := &parcel{body: body, answered: make(chan error, 1)}
	c.parcels <- p
	return <-p.answered
}

// DeliverCopy has its own copy written.
func (c *Conn) DeliverCopy(ctx context.Context, body []byte) error {
	p := &parcel{body: append([]byte(nil), body...), answered: make(chan error, 1)}
	c.parcels <- p
	select {
	case err := <-p.answered:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Length only has the number of bytes sent.
func (c *Conn) Length(body []byte, to chan int) { to <- len(body) }

// Post does not wait at all.
func (c *Conn) Post(body []byte) { c.parcels <- &parcel{body: body, answered: make(chan error, 1)} }

// InTime tells whether body was written in time.
func (c *Conn) InTime(body []byte) bool {
	done := make(chan struct{})
	go func() {
		c.nc.Write(body)
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(time.Second):
		return false
	}
}

// Both waits for two goroutines.
func (c *Conn) Both(a, b []byte) {
	var wg sync.WaitGroup
	for _, x := range [][]byte{a, b} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.nc.Write(x)
		}()
	}
	wg.Wait()
}

// Log has a goroutine of its own.
func (c *Conn) Log(text string) {
	go func() {
		c.mu.Lock()
		c.err = errors.New(text)
		c.mu.Unlock()
	}()
}

func (c *Conn) Wait() {}
