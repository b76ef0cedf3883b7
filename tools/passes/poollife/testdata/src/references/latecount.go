package references

import (
	"sync"
	"sync/atomic"
)

var sheetPool = sync.Pool{New: func() any { b := make([]byte, 4<<10); return &b }}

type sheet struct {
	data []byte
	refs int32
}

func (s *sheet) hold() { atomic.AddInt32(&s.refs, 1) }

func (s *sheet) drop() {
	if atomic.AddInt32(&s.refs, -1) == 0 {
		sheetPool.Put(&s.data)
	}
}

type sheets struct {
	mu    sync.Mutex
	items map[string]*sheet
}

func (s *sheets) find(key string) (*sheet, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.items[key]
	return x, ok
}

func (s *sheets) evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, x := range s.items {
		delete(s.items, key)
		x.drop()
		return
	}
}

type sheetReader struct {
	all *sheets
	at  *sheet
}

func (r *sheetReader) load(key string) *sheet {
	if x, ok := r.all.find(key); ok {
		return x
	}
	return nil
}

func (r *sheetReader) set(x *sheet) {
	x.hold() // want `the reference is counted after find gave the lock back under which it found this in items`
	r.at = x
}

func (r *sheetReader) seek(key string) {
	x := r.load(key)
	if x != nil {
		r.set(x)
	}
}

// This one counts under the lock.
type counted struct {
	mu    sync.Mutex
	items map[string]*sheet
}

func (s *counted) find(key string) *sheet {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.items[key]
	if x != nil {
		x.hold()
	}
	return x
}

func (s *counted) evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, x := range s.items {
		delete(s.items, key)
		x.drop()
		return
	}
}

func (s *counted) two(key string) (a, b *sheet) {
	a = s.find(key)
	if a == nil {
		return nil, nil
	}
	b = a
	b.hold()
	return a, b
}

// Nothing is evicted from here.
type kept struct {
	mu    sync.RWMutex
	items map[string]*sheet
}

func (s *kept) find(key string) *sheet {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.items[key]
}

func (s *kept) use(key string) []byte {
	x := s.find(key)
	if x == nil {
		return nil
	}
	x.hold()
	defer x.drop()
	return append([]byte(nil), x.data...)
}

// The caller has a lock of its own, which may be that of who evicts.
type outer struct {
	mu  sync.Mutex
	all *sheets
}

func (o *outer) take(key string) *sheet {
	o.mu.Lock()
	defer o.mu.Unlock()
	x, ok := o.all.find(key)
	if !ok {
		return nil
	}
	x.hold()
	return x
}
