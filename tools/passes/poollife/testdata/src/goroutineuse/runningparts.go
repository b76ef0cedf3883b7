// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import "sync"

// A goroutine that works with an object which has a pooled buffer.

type gaugeReader interface{ Next() (string, error) }

type gaugeFilter struct {
	pool *sync.Pool
	buf  *[]byte
	want byte
}

func (f *gaugeFilter) passes(s string) bool {
	*f.buf = append((*f.buf)[:0], s...)
	return len(*f.buf) > 0 && (*f.buf)[0] == f.want
}

func (f *gaugeFilter) Close() { f.pool.Put(f.buf) }

type gaugeSet struct {
	mu     sync.Mutex
	lines  []string
	filter *gaugeFilter
	cancel func()
}

func newGaugeSet(r gaugeReader, pool *sync.Pool, cancel func()) *gaugeSet {
	s := &gaugeSet{filter: &gaugeFilter{pool: pool, buf: pool.Get().(*[]byte)}, cancel: cancel}
	go func() {
		for {
			line, err := r.Next()
			if err != nil {
				return
			}
			if s.filter.passes(line) {
				s.mu.Lock()
				s.lines = append(s.lines, line)
				s.mu.Unlock()
			}
		}
	}()
	return s
}

func (s *gaugeSet) Close() {
	s.mu.Lock()
	s.cancel() // does not wait for the goroutine, which takes the lock
	s.mu.Unlock()
	s.filter.Close() // want `this puts field buf of filter .* while the goroutine that newGaugeSet started`
}

type waitedSet struct {
	sieve *gaugeFilter
	done  chan struct{}
}

func newWaitedSet(r gaugeReader, pool *sync.Pool) *waitedSet {
	s := &waitedSet{sieve: &gaugeFilter{pool: pool, buf: pool.Get().(*[]byte)}, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for {
			line, err := r.Next()
			if err != nil {
				return
			}
			s.sieve.passes(line)
		}
	}()
	return s
}

func (s *waitedSet) Close() { // right
	<-s.done
	s.sieve.Close()
}

type stoppedSet struct {
	screen *gaugeFilter
	stop   func() // waits, for all that is known
}

func newStoppedSet(r gaugeReader, pool *sync.Pool, stop func()) *stoppedSet {
	s := &stoppedSet{screen: &gaugeFilter{pool: pool, buf: pool.Get().(*[]byte)}, stop: stop}
	go func() {
		for {
			line, err := r.Next()
			if err != nil {
				return
			}
			s.screen.passes(line)
		}
	}()
	return s
}

func (s *stoppedSet) Close() { // right
	s.stop()
	s.screen.Close()
}
