package lostvalues

import (
	"fmt"
	"io"
	"sync"
)

// A function that is given a function to run starts a goroutine for it, and that puts what it has captured. What is
// lost before that is lost.

type sectionList struct {
	mu   sync.Mutex
	free [][]byte
	size int
}

func (l *sectionList) Get() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		b := l.free[n-1]
		l.free = l.free[:n-1]
		return b
	}
	return make([]byte, l.size)
}

func (l *sectionList) Put(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, b[:l.size])
}

type runners struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *runners) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *runners) Wait() error {
	g.wg.Wait()
	return g.err
}

type sender struct {
	to   func(part int, b []byte) error
	busy chan struct{}
	list *sectionList
}

func (s *sender) sendParts(in io.Reader) error {
	g := &runners{}
	for part := 0; ; part++ {
		s.busy <- struct{}{}
		b := s.list.Get() // want `b, taken from the list free at line 66, is not put back on the path that ends here`
		n, err := io.ReadFull(in, b)
		if err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("read part %d: %w", part, err)
		}
		g.Go(func() error {
			err := s.to(part, b[:n])
			s.list.Put(b)
			<-s.busy // after the Put: the value is back by then
			return err
		})
	}
	return g.Wait()
}

// What the goroutine waits for first, it puts when its time has come.
func (s *sender) sendLater(in io.Reader, start chan bool) error {
	g := &runners{}
	b := s.list.Get()
	n, err := io.ReadFull(in, b)
	if err != nil {
		s.list.Put(b)
		return err
	}
	g.Go(func() error {
		<-start
		defer s.list.Put(b)
		return s.to(0, b[:n])
	})
	close(start)
	return g.Wait()
}
