package plain

import (
	"bytes"
	"time"

	"plainpkg"
)

type server struct {
	cache   *plainpkg.Cache
	layered plainpkg.Layered
	store   store
}

type store interface {
	Set(key string, val []byte)
}

var shared plainpkg.Cache

func (s *server) set(key string) {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(key)
	s.cache.Set(key, b.Bytes(), time.Minute) // want `an element of a slice or map keeps memory of b after the value was put in std`
}

func (s *server) setCopy(key string) {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(key)
	s.cache.SetCopy(key, b.Bytes())
}

func (s *server) setIf(key string) {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(key)
	s.cache.SetIf(key, b.Bytes(), len(key) > 3)
}

func (s *server) push(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	s.cache.Push(b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

func (s *server) link(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	s.cache.Link(b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

func (s *server) share(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	s.cache.Share(key, b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

func (s *server) layers(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	s.layered.Set(key, b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

func (s *server) layersFar(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	s.layered.SetFar(key, b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

func newServer(l *plainpkg.Layered) *server { return &server{store: l} }

// behind an interface is the one type that the package gives it.
func (s *server) behind(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	s.store.Set(key, b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

func (s *server) global(key string) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	shared.Push(b.Bytes()) // want `an element of a slice or map keeps memory of b`
	std.Put(b)
}

// deletes takes it out again before the Put.
func (s *server) deletes(key string, use func()) {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(key)
	s.cache.Set(key, b.Bytes(), time.Minute)
	defer s.cache.Delete(key)
	use()
}

// own has a cache of its own.
func own(keys []string, use func(*plainpkg.Cache)) {
	var bufs []*bytes.Buffer
	c := new(plainpkg.Cache)
	for _, k := range keys {
		b := std.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(k)
		c.Set(k, b.Bytes(), time.Minute)
		bufs = append(bufs, b)
	}
	println(len(bufs), c != nil)
	for _, b := range bufs {
		std.Put(b)
	}
}

// text gives a copy.
func (s *server) text(key string) {
	b := std.Get().(*bytes.Buffer)
	defer std.Put(b)
	b.Reset()
	b.WriteString(key)
	s.cache.Set(key, []byte(b.String()), time.Minute)
}

// kept is not put where it was kept.
func (s *server) kept(key string, keep bool) {
	b := std.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(key)
	if keep {
		s.cache.Push(b.Bytes())
		return
	}
	std.Put(b)
}
