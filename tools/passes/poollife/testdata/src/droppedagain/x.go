// Lists of which some elements were given up, gone over again.
package droppedagain

import (
	"sync"
	"sync/atomic"
)

// A parcel goes to its pool when the sender and the courier are both done with it.
type parcel struct {
	to    string
	stamp int
	refs  atomic.Int32
	sent  atomic.Bool
	home  func(*parcel)
}

func (p *parcel) unref() {
	if p.refs.Add(-1) == 0 && p.home != nil {
		p.home(p)
	}
}

func (p *parcel) delivered() {
	if p.sent.CompareAndSwap(false, true) {
		p.unref()
	}
}

type office struct {
	pool sync.Pool
	log  func(string)
}

func newOffice(log func(string)) *office {
	o := &office{log: log}
	o.pool.New = func() any { return &parcel{home: o.keep} }
	return o
}

func (o *office) keep(p *parcel) { o.pool.Put(p) }

func (o *office) accept(to string) *parcel {
	p := o.pool.Get().(*parcel)
	p.to = to
	p.sent.Store(false)
	p.refs.Store(2)
	return p
}

type van interface {
	load(to string, stamp int) bool
	leave() error
}

// Wrong: the parcels that were not loaded were given up before the van broke down.
func (o *office) tour(v van, list []*parcel) error {
	var loaded []*parcel
	for _, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			continue
		}
		loaded = append(loaded, p)
	}
	if err := v.leave(); err != nil {
		for _, p := range list {
			o.log(p.to) // want `this goes over all elements again, also over those that delivered gave up before`
			p.delivered()
		}
		return err
	}
	for _, p := range loaded {
		p.delivered()
	}
	return nil
}

// Wrong: the arms turned around, by index, without a log.
func (o *office) tourByIndex(v van, list []*parcel) error {
	loaded := make([]*parcel, 0, len(list))
	for k := range list {
		if p := list[k]; v.load(p.to, p.stamp) {
			loaded = append(loaded, p)
		} else {
			p.delivered()
		}
	}
	err := v.leave()
	if err == nil {
		for _, p := range loaded {
			p.delivered()
		}
		return nil
	}
	for k := range list {
		list[k].delivered() // want `this goes over all elements again, also over those that delivered gave up before`
	}
	return err
}

// Wrong: in a loop of its own, under a test of what is in the element.
func (o *office) tours(v van, next func() []*parcel) error {
	for {
		list := next()
		if len(list) == 0 {
			return nil
		}
		var loaded []*parcel
		for _, p := range list {
			if !v.load(p.to, p.stamp) {
				p.delivered()
				continue
			}
			loaded = append(loaded, p)
		}
		if err := v.leave(); err != nil {
			for _, p := range list {
				if p.stamp > 0 { // want `this goes over all elements again, also over those that delivered gave up before`
					p.delivered()
				}
			}
			return err
		}
		for _, p := range loaded {
			p.delivered()
		}
	}
}

// Right: only those that were loaded.
func (o *office) tourRight(v van, list []*parcel) error {
	var loaded []*parcel
	for _, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			continue
		}
		loaded = append(loaded, p)
	}
	err := v.leave()
	for _, p := range loaded {
		p.delivered()
	}
	return err
}

// Right: the list forgets what was given up.
func (o *office) tourForgets(v van, list []*parcel) error {
	var loaded []*parcel
	for k, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			list[k] = nil
			continue
		}
		loaded = append(loaded, p)
	}
	if err := v.leave(); err != nil {
		for _, p := range list {
			if p != nil {
				p.delivered()
			}
		}
		return err
	}
	for _, p := range loaded {
		p.delivered()
	}
	return nil
}

// Right: another list tells.
func (o *office) tourNotes(v van, list []*parcel) error {
	var loaded []*parcel
	gone := make([]bool, len(list))
	for k, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			gone[k] = true
			continue
		}
		loaded = append(loaded, p)
	}
	if err := v.leave(); err != nil {
		for k, p := range list {
			if !gone[k] {
				p.delivered()
			}
		}
		return err
	}
	for _, p := range loaded {
		p.delivered()
	}
	return nil
}

// Right: the list has references of its own.
func (o *office) tourHolds(v van, list []*parcel) error {
	var loaded []*parcel
	for _, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			continue
		}
		loaded = append(loaded, p)
	}
	err := v.leave()
	if err != nil {
		for _, p := range list {
			p.delivered()
		}
	} else {
		for _, p := range loaded {
			p.delivered()
		}
	}
	for _, p := range list {
		p.unref()
	}
	return err
}

// Right: only where none was given up.
func (o *office) tourFull(v van, list []*parcel) error {
	var loaded []*parcel
	for _, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			continue
		}
		loaded = append(loaded, p)
	}
	if len(loaded) == len(list) {
		for _, p := range list {
			p.delivered()
		}
		return v.leave()
	}
	for _, p := range loaded {
		p.delivered()
	}
	return nil
}

// Right: the same with a number.
func (o *office) tourNumber(v van, list []*parcel) error {
	var loaded []*parcel
	left := 0
	for _, p := range list {
		if v.load(p.to, p.stamp) {
			loaded = append(loaded, p)
		} else {
			p.delivered()
			left++
		}
	}
	if left > 0 {
		for _, p := range loaded {
			p.delivered()
		}
		return nil
	}
	for _, p := range list {
		p.delivered()
	}
	return v.leave()
}

// Right: it returns before the second loop where it gave one up.
func (o *office) tourStops(v van, list []*parcel) error {
	for _, p := range list {
		if !v.load(p.to, p.stamp) {
			p.delivered()
			return v.leave()
		}
	}
	for _, p := range list {
		p.delivered()
	}
	return nil
}

// Right: a mark that puts nothing may be set twice.
type note struct{ done bool }

func (n *note) mark() { n.done = true }

func marks(list []*note, ok func(*note) bool) (rest []*note) {
	for _, n := range list {
		if !ok(n) {
			n.mark()
			continue
		}
		rest = append(rest, n)
	}
	for _, n := range list {
		n.mark()
	}
	return rest
}
