// SPDX-License-Identifier: BSD-3-Clause

package unemptied

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"sync"
)

// Maps that functions of the standard library print, encode or copy.

type notice struct {
	attrs map[string]string
	topic string
}

var postedNotices = sync.Pool{New: func() any { return &notice{attrs: map[string]string{}} }}

type board struct {
	w      io.Writer
	adorns []func(*notice)
}

func (b *board) post(topic string) error {
	n := postedNotices.Get().(*notice)
	defer postedNotices.Put(n) // want `field attrs of the pooled notice is filled in use`
	n.topic = topic
	for _, adorn := range b.adorns {
		adorn(n)
	}
	return json.NewEncoder(b.w).Encode(struct {
		Topic string
		Attrs map[string]string
	}{n.topic, n.attrs})
}

func (b *board) signed(by func() string) {
	b.adorns = append(b.adorns, func(n *notice) { n.attrs["by"] = by() })
}

type ledgerLine struct{ vals map[string]any }

type ledgerBook struct{ lines *sync.Pool }

func newLedgerBook() *ledgerBook {
	return &ledgerBook{&sync.Pool{New: func() any { return &ledgerLine{vals: make(map[string]any)} }}}
}

func (l *ledgerLine) set(k string, v any) *ledgerLine { l.vals[k] = v; return l }

func (l *ledgerLine) print(to *log.Logger) { to.Printf("%v", l.vals) }

func (b *ledgerBook) note(to *log.Logger, k string, v any) {
	l := b.lines.Get().(*ledgerLine)
	l.set(k, v).print(to)
	b.lines.Put(l) // want `field vals of the pooled ledgerLine is filled in use`
}

type trail struct{ tags map[string]string }

var trails = sync.Pool{New: func() any { return &trail{tags: map[string]string{}} }}

func follow(tags map[string]string, send func(map[string]string)) {
	t := trails.Get().(*trail)
	defer trails.Put(t) // want `field tags of the pooled trail is filled in use`
	maps.Copy(t.tags, tags)
	send(maps.Clone(t.tags))
}

type sack[V any] struct{ m map[string]V }

func (s *sack[V]) put(k string, v V) { s.m[k] = v }

var sacks = sync.Pool{New: func() any { return &sack[int]{m: map[string]int{}} }}

func packed(k string, v int) string {
	s := sacks.Get().(*sack[int])
	defer func() {
		sacks.Put(s) // want `field m of the pooled sack is filled in use`
	}()
	s.put(k, v)
	return fmt.Sprint(s.m)
}

// Right: emptied by a function, made anew by a method of a generic type, or with the same keys for all.

type flyer struct{ attrs map[string]string }

var flyers = sync.Pool{New: func() any { return &flyer{attrs: map[string]string{}} }}

func hand(w io.Writer, k, v string) {
	f := flyers.Get().(*flyer)
	f.attrs[k] = v
	fmt.Fprintln(w, f.attrs)
	maps.DeleteFunc(f.attrs, func(string, string) bool { return true })
	flyers.Put(f)
}

type crate[V any] struct{ m map[string]V }

func (c *crate[V]) put(k string, v V) { c.m[k] = v }

func (c *crate[V]) empty() { c.m = make(map[string]V) }

var crates = sync.Pool{New: func() any { return &crate[int]{m: map[string]int{}} }}

func shipped(k string, v int) string {
	c := crates.Get().(*crate[int])
	defer func() {
		c.empty()
		crates.Put(c)
	}()
	c.put(k, v)
	return fmt.Sprint(c.m)
}

type verdict struct{ vals map[string]any }

var rulings = sync.Pool{New: func() any { return &verdict{vals: map[string]any{}} }}

func (v *verdict) set(code int, text string) {
	v.vals["code"] = code
	v.vals["text"] = text
}

func spoken(code int, text string) ([]byte, error) {
	v := rulings.Get().(*verdict)
	defer rulings.Put(v)
	v.set(code, text)
	return json.Marshal(v.vals)
}
