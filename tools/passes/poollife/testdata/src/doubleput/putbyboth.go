// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"bufio"
	"io"
	"sync"
	"sync/atomic"
)

var targetWriters = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 4096) }}

func takeWriter(w io.Writer) *bufio.Writer {
	b := targetWriters.Get().(*bufio.Writer)
	b.Reset(w)
	return b
}

func giveWriter(b *bufio.Writer) {
	b.Reset(nil)
	targetWriters.Put(b)
}

// closedBy has a function that gives the writer back each time that it is called.
type closedBy struct {
	io.Writer
	done func() error
}

func (c *closedBy) Close() error { return c.done() }

func openWriter(w io.Writer) io.WriteCloser {
	b := takeWriter(w)
	return &closedBy{Writer: b, done: func() error {
		err := b.Flush()
		giveWriter(b)
		return err
	}}
}

func throughPipe(in io.Reader, out io.Writer) error {
	pr, pw := io.Pipe()
	w := openWriter(pw)
	defer w.Close() // want `w is put in targetWriters a second time; the first Put is at line`
	go func() {
		_, err := io.Copy(w, in)
		w.Close()
		pw.CloseWithError(err)
	}()
	_, err := io.Copy(out, pr)
	return err
}

type writerSink struct{ b *bufio.Writer }

func (s *writerSink) end() { giveWriter(s.b) }

func endsAfterwards(in io.Reader, out io.Writer) {
	s := &writerSink{takeWriter(out)}
	done := make(chan error, 1)
	go func() {
		_, err := s.b.ReadFrom(in)
		s.end()
		done <- err
	}()
	if err := <-done; err != nil {
		s.end() // want `s is put in targetWriters a second time; the first Put is at line`
	}
}

func twoEnd(in io.Reader, out io.Writer) {
	s := &writerSink{takeWriter(out)}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		s.b.ReadFrom(in)
		s.end()
	}()
	go func() {
		defer wg.Done()
		s.end() // want `s is put in targetWriters a second time`
	}()
	wg.Wait()
}

type writerTask[T any] struct {
	b *bufio.Writer
	v T
}

func (t *writerTask[T]) run(wg *sync.WaitGroup) {
	defer wg.Done()
	defer t.end()
	t.b.WriteString("x")
}
func (t *writerTask[T]) end() { giveWriter(t.b) }

func runTask[T any](v T, out io.Writer) {
	t := &writerTask[T]{takeWriter(out), v}
	var wg sync.WaitGroup
	wg.Add(1)
	go t.run(&wg)
	wg.Wait()
	t.end() // want `t is put in targetWriters a second time; the first Put is at line`
}

type onceSink struct {
	b    *bufio.Writer
	once sync.Once
}

func (s *onceSink) end() { s.once.Do(func() { giveWriter(s.b) }) }

func endsOnce(in io.Reader, out io.Writer) {
	s := &onceSink{b: takeWriter(out)}
	done := make(chan struct{})
	defer s.end()
	go func() {
		s.b.ReadFrom(in)
		s.end()
		close(done)
	}()
	<-done
}

func endsByOnceFunc(in io.Reader, out io.Writer) {
	b := takeWriter(out)
	s := &calledOnce{Writer: b, done: sync.OnceFunc(func() { giveWriter(b) })}
	done := make(chan struct{})
	defer s.Close()
	go func() {
		b.ReadFrom(in)
		s.Close()
		close(done)
	}()
	<-done
}

type calledOnce struct {
	io.Writer
	done func()
}

func (c *calledOnce) Close() { c.done() }

type nilSink struct {
	mu sync.Mutex
	b  *bufio.Writer
}

func (s *nilSink) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.b != nil {
		giveWriter(s.b)
		s.b = nil
	}
}

func endsNil(in io.Reader, out io.Writer) {
	s := &nilSink{b: takeWriter(out)}
	done := make(chan struct{})
	defer s.end()
	go func() {
		s.b.ReadFrom(in)
		s.end()
		close(done)
	}()
	<-done
}

type swapSink struct {
	b    *bufio.Writer
	gone atomic.Bool
}

func (s *swapSink) end() {
	if s.gone.CompareAndSwap(false, true) {
		giveWriter(s.b)
	}
}

func endsBySwap(in io.Reader, out io.Writer) {
	s := &swapSink{b: takeWriter(out)}
	done := make(chan struct{})
	defer s.end()
	go func() {
		s.b.ReadFrom(in)
		s.end()
		close(done)
	}()
	<-done
}

func endsByFlag(in io.Reader, out io.Writer) {
	s := &writerSink{takeWriter(out)}
	closed := false
	done := make(chan struct{})
	go func() {
		s.b.ReadFrom(in)
		s.end()
		closed = true
		close(done)
	}()
	<-done
	if !closed {
		s.end()
	}
}

func endsByFlagAtEnd(in io.Reader, out io.Writer) {
	s := &writerSink{takeWriter(out)}
	closed := false
	done := make(chan struct{})
	defer func() {
		if !closed {
			s.end()
		}
	}()
	go func() {
		s.b.ReadFrom(in)
		s.end()
		closed = true
		close(done)
	}()
	<-done
}

func eitherEnds(in io.Reader, out io.Writer) {
	s := &writerSink{takeWriter(out)}
	done := make(chan error)
	go func() {
		_, err := s.b.ReadFrom(in)
		if err != nil {
			s.end()
		}
		done <- err
	}()
	if err := <-done; err == nil {
		s.end()
	}
}

func endsAnother(in io.Reader, out io.Writer) {
	s := &writerSink{takeWriter(out)}
	done := make(chan error)
	go func(s *writerSink) {
		_, err := s.b.ReadFrom(in)
		s.end()
		done <- err
	}(s)
	<-done
	s = &writerSink{takeWriter(out)}
	defer s.end()
	s.b.WriteString("x")
}

func endsWhereNotStarted(in io.Reader, out io.Writer, now bool) {
	s := &writerSink{takeWriter(out)}
	done := make(chan error)
	if now {
		s.end()
		return
	}
	go func() {
		defer s.end()
		_, err := s.b.ReadFrom(in)
		done <- err
	}()
	<-done
}

func givesByFlag(in io.Reader, out io.Writer) {
	b := takeWriter(out)
	closed := false
	done := make(chan struct{})
	go func() {
		b.ReadFrom(in)
		giveWriter(b)
		closed = true
		close(done)
	}()
	<-done
	if !closed {
		giveWriter(b)
	}
}
