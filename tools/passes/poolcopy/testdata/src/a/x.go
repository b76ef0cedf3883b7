package a

import "sync"

type pools struct {
	small sync.Pool
	sizes []int
}

type byPointer struct{ p *sync.Pool }

type server struct {
	pools pools
	local sync.Pool
}

func newPools() pools { return pools{sizes: []int{1}} }

func newServer() *server {
	p := newPools()
	return &server{pools: p} // want `pools, which holds a sync.Pool, is stored in a literal by value`
}

func newServerRight() *server {
	s := &server{}
	s.pools.sizes = []int{1}
	return s
}

func get(p sync.Pool) any { // want `parameter p, a sync\.Pool, is copied for each call`
	return p.Get()
}

func getRight(p *sync.Pool) any { return p.Get() }

func (p pools) put(x any) { // want `receiver p, a pools, which holds a sync\.Pool, is copied for each call`
	p.small.Put(x)
}

func (p *pools) putRight(x any) { p.small.Put(x) }

func assign(s *server) {
	q := s.pools // want `pools, which holds a sync.Pool, is assigned by value`
	q.sizes = nil
	r := &s.pools
	r.sizes = nil
}

func each(list []pools, ptrs []*pools, keep []byPointer) {
	for _, p := range list { // want `p, a pools, which holds a sync\.Pool, is copied by range`
		p.sizes = nil
	}
	for i := range list {
		list[i].sizes = nil
	}
	for _, p := range ptrs {
		p.sizes = nil
	}
	for _, p := range keep {
		_ = p
	}
}

func deref(p *sync.Pool) {
	use(*p) // want `\*p, a sync\.Pool, is passed by value`
}

func use(any) {}

func (s *server) init() {
	s.local = sync.Pool{New: func() any { return new(int) }} // want `s.local is overwritten with a new sync.Pool on reset`
}

func (s *server) Reset() { s.init() }

func (s *server) setup() {
	s.pools = pools{}
}

type engine struct{ local, shared sync.Pool }

func (e *engine) Reset() {
	e.local = newLocal() // want `e.local is overwritten with a new sync.Pool on reset`
}

func newEngine() *engine {
	e := new(engine)
	e.shared = newLocal() // nobody has it yet
	return e
}

func newLocal() sync.Pool { return sync.Pool{New: func() any { return new(int) }} }

func newPointer() *pools { return &pools{sizes: []int{1}} }

// madeHere has the only copy that is used.
func madeHere() *server { return &server{pools: *newPointer()} }

func given() *pools { return shared }

var shared = newPointer()

func ofShared() *server {
	return &server{pools: *given()} // want `pools, which holds a sync.Pool, is stored in a literal by value`
}
