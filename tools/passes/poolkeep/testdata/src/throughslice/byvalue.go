// SPDX-License-Identifier: BSD-3-Clause

package throughslice

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// A function that is given the slice of a field, and returns it longer, gives the elements that were there.

type leg struct {
	from, to string
}

// read sets what the line has.
func (l *leg) read(line string) {
	for len(line) > 2 {
		switch line[0] {
		case '<':
			l.from = line[1:2]
		case '>':
			l.to = line[1:2]
		}
		line = line[2:]
	}
}

// Wrong: the element may be an old one.
func addLeg(list []leg, line string) []leg {
	if n := len(list); n < cap(list) {
		list = list[:n+1]
	} else {
		list = append(list, leg{})
	}
	list[len(list)-1].read(line) // want `fields from, to of the leg in a slice that is used again are set only where they apply`
	return list
}

type trip struct {
	legs []leg
	cost int
}

var trips = sync.Pool{New: func() any { return new(trip) }}

func withTrip(lines []string, f func(from, to string)) {
	t := trips.Get().(*trip)
	for _, l := range lines {
		t.legs = addLeg(t.legs, l)
	}
	for _, l := range t.legs {
		f(l.from, l.to)
	}
	t.cost, t.legs = 0, t.legs[:0]
	trips.Put(t)
}

// Wrong: by slices.Grow, for all at once.
type stop struct {
	name string
	note *string
}

type route struct{ stops []stop }

var routes = sync.Pool{New: func() any { return new(route) }}

func moreStops(list []stop, lines []string) []stop {
	list = slices.Grow(list, len(lines))[:len(lines)]
	for i := range list {
		s := &list[i]
		s.name = lines[i]
		if len(lines[i]) > 9 {
			s.note = &lines[i] // want `field note of the stop in a slice that is used again is set only where it applies`
		}
	}
	return list
}

func withRoute(lines []string, f func(name string, note *string)) {
	r := routes.Get().(*route)
	r.stops = moreStops(r.stops[:0], lines)
	for _, s := range r.stops {
		f(s.name, s.note)
	}
	routes.Put(r)
}

// Right: emptied before it is read.
type hop struct {
	from, to string
}

func (h *hop) read(line string) {
	for len(line) > 2 {
		switch line[0] {
		case '<':
			h.from = line[1:2]
		case '>':
			h.to = line[1:2]
		}
		line = line[2:]
	}
}

func addHop(list []hop, line string) []hop {
	if n := len(list); n < cap(list) {
		list = list[:n+1]
		list[n] = hop{}
	} else {
		list = append(list, hop{})
	}
	list[len(list)-1].read(line)
	return list
}

type flight struct{ hops []hop }

var flights = sync.Pool{New: func() any { return new(flight) }}

func withFlight(lines []string, f func(from, to string)) {
	t := flights.Get().(*flight)
	for _, l := range lines {
		t.hops = addHop(t.hops, l)
	}
	for _, h := range t.hops {
		f(h.from, h.to)
	}
	t.hops = t.hops[:0]
	flights.Put(t)
}

// Right: the list is dropped with its user, so that what is behind its end is new.
type port struct {
	from, to string
}

func (p *port) read(line string) {
	for len(line) > 2 {
		switch line[0] {
		case '<':
			p.from = line[1:2]
		case '>':
			p.to = line[1:2]
		}
		line = line[2:]
	}
}

func addPort(list []port, line string) []port {
	if n := len(list); n < cap(list) {
		list = list[:n+1]
	} else {
		list = append(list, port{})
	}
	list[len(list)-1].read(line)
	return list
}

type cruise struct {
	ports []port
	log   []string
}

var cruises = sync.Pool{New: func() any { return new(cruise) }}

func withCruise(lines []string, f func(from, to string)) {
	t := cruises.Get().(*cruise)
	for _, l := range lines {
		t.ports = addPort(t.ports, l)
	}
	for _, p := range t.ports {
		f(p.from, p.to)
	}
	t.ports = nil
	cruises.Put(t)
}

// Right: the list is cut shorter; what it has is of this use.
type call struct {
	at   string
	next *call
}

func firstCalls(list []call, n int) []call {
	list = list[:n]
	for i := range list {
		c := &list[i]
		c.at += "!"
		if i+1 < n {
			c.next = &list[i+1]
		}
	}
	return list
}

type tour struct{ calls []call }

var tours = sync.Pool{New: func() any { return new(tour) }}

func withTour(lines []string, f func([]call)) {
	t := tours.Get().(*tour)
	for _, l := range lines {
		t.calls = append(t.calls, call{at: l})
	}
	t.calls = firstCalls(t.calls, len(lines)/2)
	f(t.calls)
	clear(t.calls[:cap(t.calls)])
	t.calls = t.calls[:0]
	tours.Put(t)
}

// Wrong: that the first write did not fail does not say that there is a trailer.
type frame struct {
	head, trailer []byte
}

func (f *frame) set(head, trailer []byte) {
	f.head = head
	if len(trailer) > 0 {
		f.trailer = trailer
	}
}

type batch struct{ frames []frame }

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) fill(parts [][2][]byte) {
	if len(parts) <= cap(b.frames) {
		b.frames = b.frames[:len(parts)]
	} else {
		b.frames = make([]frame, len(parts))
	}
	for i := range b.frames {
		b.frames[i].set(parts[i][0], parts[i][1]) // want `field trailer of the frame in a slice that is used again is set only where it applies`
	}
}

func send(w io.Writer, parts [][2][]byte) error {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	b.fill(parts)
	for _, f := range b.frames {
		if _, err := w.Write(f.head); err != nil {
			return err
		}
		if _, err := w.Write(f.trailer); err != nil {
			return err
		}
	}
	return nil
}

// Right: the function looks at the kind, and fails where there is no trailer.
type packet struct {
	kind    int
	trailer []byte
}

func (p *packet) set(kind int, trailer []byte) {
	p.kind = kind
	if kind == 1 {
		p.trailer = trailer
	}
}

func (p *packet) check() error {
	if p.kind != 1 {
		return errors.New("no trailer")
	}
	return nil
}

type train struct{ packets []packet }

var trains = sync.Pool{New: func() any { return new(train) }}

func (t *train) fill(parts [][]byte) {
	if len(parts) <= cap(t.packets) {
		t.packets = t.packets[:len(parts)]
	} else {
		t.packets = make([]packet, len(parts))
	}
	for i := range t.packets {
		t.packets[i].set(len(parts[i]), parts[i])
	}
}

func sendTrain(w io.Writer, parts [][]byte) error {
	t := trains.Get().(*train)
	defer trains.Put(t)
	t.fill(parts)
	for k := range t.packets {
		p := &t.packets[k]
		if err := p.check(); err != nil {
			return err
		}
		if _, err := w.Write(p.trailer); err != nil {
			return err
		}
	}
	return nil
}
