// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"errors"
	"sync"
)

// A field that is set to what is in it already keeps the object that was made with the struct.

type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

type verdict struct {
	bad     bool
	refusal refusal
}

func (v *verdict) Bad() bool { return v.bad }

func (v *verdict) Refusal() *refusal { return &v.refusal }

// What a statute returns is the verdict that the trial has: all rules are in view.
type trial struct {
	name    string
	verdict *verdict
}

type statute interface{ Judge(*trial) *verdict }

type lenRule struct{ max int }

func (l lenRule) Judge(t *trial) *verdict {
	if len(t.name) > l.max {
		t.verdict.bad, t.verdict.refusal = true, refusal{"too long"}
		return t.verdict
	}
	return nil
}

type nameRule struct{ names map[string]bool }

func (n *nameRule) Judge(t *trial) *verdict {
	if !n.names[t.name] {
		t.verdict.bad, t.verdict.refusal = true, refusal{"unknown"}
	}
	return t.verdict
}

type court struct {
	rules  []statute
	trials sync.Pool
}

func newCourt(rules ...statute) *court {
	return &court{rules: rules, trials: sync.Pool{New: func() any { return &trial{verdict: &verdict{}} }}}
}

func (c *court) judge(t *trial) *verdict {
	for _, r := range c.rules {
		v := r.Judge(t)
		if v == nil {
			continue
		}
		if v.Bad() {
			t.verdict = v
			return v
		}
	}
	*t.verdict = verdict{}
	return t.verdict
}

type hearing struct {
	trial *trial
	court *court
	once  sync.Once
}

func (h *hearing) Close() {
	h.once.Do(func() {
		h.trial.name = ""
		*h.trial.verdict = verdict{}
		h.court.trials.Put(h.trial)
	})
}

func (c *court) open(name string) (*hearing, error) {
	t := c.trials.Get().(*trial)
	t.name = name
	h := &hearing{trial: t, court: c}
	if v := c.judge(t); v.Bad() {
		h.Close()
		return nil, v.Refusal() // want `memory of h is returned after it was put in trials`
	}
	return h, nil
}

func (c *court) openCopied(name string) (*hearing, error) {
	t := c.trials.Get().(*trial)
	t.name = name
	h := &hearing{trial: t, court: c}
	if v := c.judge(t); v.Bad() {
		r := *v.Refusal()
		h.Close()
		return nil, &r
	}
	return h, nil
}

// A function gives it back, through another.
type parcel struct {
	weight  int
	sticker *sticker
}

type sticker struct{ to, from string }

var parcels = sync.Pool{New: func() any { return &parcel{sticker: new(sticker)} }}

func labelOf(p *parcel) *sticker { return p.sticker }

func (p *parcel) addressed(to string) *sticker {
	l := labelOf(p)
	l.to = to
	return l
}

func labelled(to string, weigh func(*parcel) error) (*sticker, error) {
	p := parcels.Get().(*parcel)
	p.sticker = p.addressed(to)
	err := weigh(p)
	l := p.sticker
	parcels.Put(p)
	return l, err // want `memory of p is returned after it was put in parcels`
}

func labelledBefore(to string, weigh func(*parcel) error) (sticker, error) {
	p := parcels.Get().(*parcel)
	p.sticker = p.addressed(to)
	err := weigh(p)
	l := *p.sticker
	parcels.Put(p)
	return l, err
}

// One of the steps returns something of its own: what the field has need not be the pool's.
type journey struct {
	stop  int
	place *place
}

type place struct{ name string }

type step interface{ next(*journey) *place }

type walkStep struct{}

func (walkStep) next(j *journey) *place { return j.place }

type homeStep struct{ home *place }

func (h homeStep) next(j *journey) *place { return h.home }

var journeys = sync.Pool{New: func() any { return &journey{place: &place{}} }}

func travel(steps []step) *place {
	j := journeys.Get().(*journey)
	for _, s := range steps {
		j.place = s.next(j)
	}
	p := j.place
	j.place = &place{}
	journeys.Put(j)
	return p
}

// It is taken out before the struct goes back.
type order struct {
	id   int
	bill *bill
}

type bill struct{ sum int }

func (o *order) sameBill() *bill { return o.bill }

var orders = sync.Pool{New: func() any { return &order{bill: &bill{}} }}

func billed(sum int) *bill {
	o := orders.Get().(*order)
	if o.bill == nil {
		o.bill = &bill{}
	}
	o.bill = o.sameBill()
	o.bill.sum = sum
	b := o.bill
	o.bill = nil
	orders.Put(o)
	return b
}

// Others may have such a method: what it gives is not known.
type Session struct {
	User string
	Seen *Stamp
}

type Stamp struct{ N int }

type Stamper interface{ Stamp(*Session) *Stamp }

type sameStamp struct{}

func (sameStamp) Stamp(s *Session) *Stamp { return s.Seen }

var sessions = sync.Pool{New: func() any { return &Session{Seen: &Stamp{}} }}

func Visit(by Stamper, user string) (*Stamp, error) {
	s := sessions.Get().(*Session)
	s.User = user
	s.Seen = by.Stamp(s)
	seen := s.Seen
	sessions.Put(s)
	if seen == nil {
		return nil, errors.New("no stamp")
	}
	return seen, nil
}
