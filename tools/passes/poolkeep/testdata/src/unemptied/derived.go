// SPDX-License-Identifier: BSD-3-Clause

package unemptied

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"sync"
)

// Structs that are pooled, and others of their type that are made with a filled map for who asks, and are never put.

// Wrong: a sink gets a copy of the pooled event, but the map is the same.
type Sink interface{ Accept(*Event) error }

type Event struct {
	Name  string
	Attrs map[string]string
	bus   *Bus
}

type Bus struct {
	Sinks []Sink
	Out   io.Writer
}

var events = sync.Pool{New: func() any { return &Event{Attrs: map[string]string{}} }}

func (e Event) send(name string) {
	e.Name = name
	for _, s := range e.bus.Sinks {
		if err := s.Accept(&e); err != nil {
			fmt.Fprintln(e.bus.Out, err)
		}
	}
	fmt.Fprintln(e.bus.Out, e.Name, e.Attrs)
}

func (e *Event) With(k, v string) *Event {
	m := maps.Clone(e.Attrs)
	m[k] = v
	return &Event{Attrs: m, bus: e.bus}
}

func (b *Bus) With(k, v string) *Event {
	e := events.Get().(*Event)
	defer events.Put(e) // want `field Attrs of the pooled Event is a map for others to add to`
	e.bus = b
	return e.With(k, v)
}

func (b *Bus) Send(name string) {
	e := events.Get().(*Event)
	e.bus = b
	e.send(name)
	events.Put(e)
}

// Wrong: what is derived goes through several hands.

type Listener func(*Message)

type Message struct {
	text string
	Tags map[string]any
	log  *MessageLog
}

type MessageLog struct {
	Listeners []Listener
	w         io.Writer
	free      sync.Pool
}

func (l *MessageLog) get() *Message {
	m, _ := l.free.Get().(*Message)
	if m == nil {
		m = &Message{log: l, Tags: map[string]any{}}
	}
	return m
}

func derivedMessage(m *Message, more map[string]any) *Message {
	tags := make(map[string]any)
	for k, v := range m.Tags {
		tags[k] = v
	}
	for k, v := range more {
		tags[k] = v
	}
	d := &Message{log: m.log, Tags: tags}
	return d
}

func (m *Message) WithTags(more map[string]any) *Message { return derivedMessage(m, more) }

func (m *Message) WithTag(k string, v any) *Message {
	d := m.WithTags(map[string]any{k: v})
	return d
}

func (m *Message) Say(s string) {
	c := *m
	c.text = s
	emitMessage(&c)
}

func emitMessage(m *Message) {
	for _, f := range m.log.Listeners {
		f(m)
	}
	fmt.Fprint(m.log.w, m.text, m.Tags)
}

func (l *MessageLog) Say(s string) {
	m := l.get()
	m.Say(s)
	l.free.Put(m) // want `field Tags of the pooled Message is a map for others to add to`
}

// Right: the map of the copy is cleared.

type Tracer interface{ Trace(*Span) }

type Span struct {
	Attrs map[string]int
	to    *Traces
}

type Traces struct {
	Tracers []Tracer
	Out     io.Writer
}

var spans = sync.Pool{New: func() any { return &Span{Attrs: map[string]int{}} }}

func (s Span) end() error {
	for _, t := range s.to.Tracers {
		t.Trace(&s)
	}
	err := json.NewEncoder(s.to.Out).Encode(s.Attrs)
	clear(s.Attrs)
	return err
}

func (s *Span) With(k string, v int) *Span {
	m := map[string]int{k: v}
	maps.Copy(m, s.Attrs)
	return &Span{Attrs: m, to: s.to}
}

func (t *Traces) End() error {
	s := spans.Get().(*Span)
	defer spans.Put(s)
	s.to = t
	return s.end()
}

// Right: what is pooled is made with what it always has, and only what is not pooled is made empty.

type Decorator interface{ Decorate(*Page) }

type Page struct {
	Funcs map[string]any
	site  *Site
}

type Site struct {
	Decorators []Decorator
	Out        io.Writer
}

var sitePages = sync.Pool{New: func() any { return fullPage() }}

func fullPage() *Page {
	f := map[string]any{"len": 1}
	f["cap"] = 2
	return &Page{Funcs: f}
}

func BarePage(s *Site) *Page { return &Page{Funcs: map[string]any{}, site: s} }

func (s *Site) Show() {
	p := sitePages.Get().(*Page)
	p.site = s
	for _, d := range s.Decorators {
		d.Decorate(p)
	}
	fmt.Fprintln(s.Out, p.Funcs)
	sitePages.Put(p)
}

// Right: what is taken gets a map of its own, and what is derived is put as well.

type Spotter interface{ Spot(*Sight) }

type Sight struct {
	Notes map[string]string
	by    *Spotters
}

type Spotters struct {
	List []Spotter
	Out  io.Writer
	free sync.Pool
}

func (s *Spotters) take() *Sight {
	if x, ok := s.free.Get().(*Sight); ok {
		x.Notes = map[string]string{}
		return x
	}
	return &Sight{Notes: map[string]string{}, by: s}
}

func (x *Sight) with(k, v string) *Sight {
	m := maps.Clone(x.Notes)
	m[k] = v
	return &Sight{Notes: m, by: x.by}
}

func (s *Spotters) See(k, v string) {
	x := s.take()
	y := x.with(k, v)
	for _, p := range s.List {
		p.Spot(y)
	}
	fmt.Fprintln(s.Out, y.Notes)
	s.free.Put(x)
	s.free.Put(y)
}
