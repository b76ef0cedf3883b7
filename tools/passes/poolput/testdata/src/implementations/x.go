// Package implementations has an interface with two implementations, each with a pool of its own.
package implementations

import "sync"

type item struct{ b []byte }

type store interface {
	get() *item
	put(*item)
}

var (
	small = sync.Pool{New: func() any { return new(item) }}
	large = sync.Pool{New: func() any { return new(item) }}
)

type smalls struct{}

func (smalls) get() *item  { return small.Get().(*item) }
func (smalls) put(x *item) { small.Put(x) }

type larges struct{}

func (larges) get() *item  { return large.Get().(*item) }
func (larges) put(x *item) { large.Put(x) }

func pick(big bool) store {
	if big {
		return larges{}
	}
	return smalls{}
}

// One value puts what it gave, also where other code runs between.
type user struct{ s store }

func newUser(big bool) *user { return &user{pick(big)} }

func (u *user) use(f func()) int {
	x := u.s.get()
	f()
	n := len(x.b)
	u.s.put(x)
	return n
}

func (u *user) take() *item  { return u.s.get() }
func (u *user) give(x *item) { u.s.put(x) }

func (u *user) useDeferred(f func()) int {
	x := u.take()
	defer u.give(x)
	f()
	return len(x.b)
}

func useParam(s store, f func()) int {
	x := s.get()
	f()
	n := len(x.b)
	s.put(x)
	return n
}

func useResult(big bool) int {
	s := pick(big)
	x := s.get()
	defer s.put(x)
	return len(x.b)
}

func usePicked(big bool) int {
	x := pick(big).get()
	n := len(x.b)
	pick(big).put(x)
	return n
}

func useEach(list []store) (n int) {
	for _, s := range list {
		x := s.get()
		n += len(x.b)
		s.put(x)
	}
	return n
}

var byDefault store = smalls{}

func SetLarge() { byDefault = larges{} }

func useGlobal() int {
	x := byDefault.get()
	n := len(x.b)
	byDefault.put(x)
	return n
}

var byName = map[string]store{"small": smalls{}, "large": larges{}}

func useNamed(name string, f func()) int {
	x := byName[name].get()
	f()
	n := len(x.b)
	byName[name].put(x)
	return n
}

// What two values are is not known.
func between(from, to store) {
	x := from.get()
	x.b = x.b[:0]
	to.put(x)
}

type pair struct{ in, out store }

func (p *pair) move() int {
	x := p.in.get()
	n := len(x.b)
	p.out.put(x)
	return n
}

// Here it is.
func across() {
	x := smalls{}.get()
	x.b = x.b[:0]
	larges{}.put(x) // want `x was taken from small but is put in large`
}

func acrossVars() {
	var a, b store = smalls{}, larges{}
	x := a.get()
	x.b = x.b[:0]
	b.put(x) // want `x was taken from small but is put in large`
}

func acrossCall() {
	move(smalls{}, larges{}) // want `x was taken from small but is put in large`
}

func move(from, to store) {
	x := from.get()
	x.b = x.b[:0]
	to.put(x)
}
