// SPDX-License-Identifier: BSD-3-Clause

package chanlists

import (
	"errors"
	"sync"
)

// Lists whose functions hold a lock until they return, so that their results are in variables.

type hanger interface{ Close() }

type hosts struct {
	mu   sync.RWMutex
	shut bool
	idle chan hanger
	dial func() (hanger, error)
}

var errShut = errors.New("shut")

func (h *hosts) Take() (hanger, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.shut {
		return nil, errShut
	}
	select {
	case c := <-h.idle:
		return c, nil
	default:
		return h.dial()
	}
}

func (h *hosts) Give(c hanger) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.shut {
		c.Close()
		return
	}
	select {
	case h.idle <- c:
	default:
		c.Close()
	}
}

type hostVars struct {
	at    uint64
	quiet bool
}

type host struct {
	vars *hostVars
	said []string
}

func (h *host) Close() { h.vars = nil }

func (h *host) say(words ...string) error {
	if h.vars.quiet {
		return errors.New("quiet")
	}
	h.said = append(h.said, words...)
	return nil
}

// Deferred calls run last in, first out: the list has it when the variable is set.
func (h *hosts) sayAt(at uint64, words ...string) error {
	c, err := h.Take()
	if err != nil {
		return err
	}
	one := c.(*host)
	before := one.vars.at
	one.vars.at = at
	defer func() { one.vars.at = before }() // want `c is read after it was put in the channel idle`
	defer h.Give(c)
	return one.say(words...)
}

func (h *hosts) sayAtFirst(at uint64, words ...string) error {
	c, err := h.Take()
	if err != nil {
		return err
	}
	one := c.(*host)
	before := one.vars.at
	defer h.Give(c)
	one.vars.at = at
	defer func() { one.vars.at = before }()
	return one.say(words...)
}

func (h *hosts) sayAll(words []string) (err error) {
	c, err := h.Take()
	if err != nil {
		return err
	}
	one := c.(*host)
	defer func() {
		one.vars.quiet = false
		h.Give(one)
	}()
	one.vars.quiet = len(words) == 0
	return one.say(words...)
}

// One makes what it has none of, in a result that has a name.
type rack struct {
	mu   sync.Mutex
	free chan *tray
}

type tray struct{ n int }

func (r *rack) tray() (t *tray) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case t = <-r.free:
	default:
		t = new(tray)
	}
	return t
}

func (r *rack) put(t *tray) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case r.free <- t:
	default:
	}
}

func (r *rack) count(fill func(*tray)) int {
	t := r.tray()
	fill(t)
	r.put(t)
	return t.n // want `t is read after it was put in the channel free`
}

func (r *rack) countFirst(fill func(*tray)) int {
	t := r.tray()
	defer r.put(t)
	fill(t)
	return t.n
}

// Who takes from this one waits for what another sends: it is a queue.
type mail struct {
	mu  sync.Mutex
	box chan *tray
}

func (m *mail) next() (*tray, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case t := <-m.box:
		return t, nil
	default:
		return nil, errShut
	}
}

func (m *mail) send(t *tray) {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case m.box <- t:
	default:
	}
}

func (m *mail) forward(told func(int)) {
	t, err := m.next()
	if err != nil {
		return
	}
	m.send(t)
	told(t.n)
}
