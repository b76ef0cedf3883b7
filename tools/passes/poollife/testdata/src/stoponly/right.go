package stoponly

import "sync"

// Waited for after the signal.

func waited(t *track, in chan []byte, stop <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		for p := range in {
			t.write(p)
		}
		close(done)
	}()
	<-stop
	close(in)
	<-done
	t.Close()
}

func grouped(in chan []byte, out func([]byte), stop <-chan struct{}) {
	m := meters.Get().(*meter)
	var wg sync.WaitGroup
	wg.Go(func() { m.run(in, out) })
	<-stop
	close(in)
	wg.Wait()
	meters.Put(m)
}

// The goroutine gives the signal, by what it was given for its end, or where something failed.

func told(in chan []byte, out func([]byte), end func(), over <-chan struct{}) {
	m := meters.Get().(*meter)
	go func() {
		m.run(in, out)
		end()
	}()
	<-over
	meters.Put(m)
}

func failing(in chan []byte, out func([]byte) error, fail func(error), over <-chan struct{}) {
	m := meters.Get().(*meter)
	go func() {
		for p := range in {
			m.sum = append(m.sum[:0], p...)
			if err := out(m.sum); err != nil {
				fail(err)
				break
			}
		}
	}()
	<-over
	meters.Put(m)
}

// Closed under the lock under which it is used.

type guarded struct {
	mu     sync.Mutex
	buf    *[]byte
	closed bool
}

func newGuarded() *guarded { return &guarded{buf: scratch.Get().(*[]byte)} }

func (g *guarded) write(p []byte) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0
	}
	return copy(*g.buf, p)
}

func (g *guarded) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.closed = true
	scratch.Put(g.buf)
}

func guard(g *guarded, in <-chan []byte, stop <-chan struct{}) {
	go func() {
		for p := range in {
			g.write(p)
		}
	}()
	<-stop
	g.Close()
}

type niled struct {
	mu  sync.Mutex
	buf *[]byte
}

func newNiled() *niled { return &niled{buf: scratch.Get().(*[]byte)} }

func (g *niled) write(p []byte) (n int) {
	g.mu.Lock()
	if g.buf != nil {
		n = copy(*g.buf, p)
	}
	g.mu.Unlock()
	return n
}

func (g *niled) Close() {
	g.mu.Lock()
	b := g.buf
	g.buf = nil
	g.mu.Unlock()
	if b != nil {
		scratch.Put(b)
	}
}

func guardNil(g *niled, in <-chan []byte, stop <-chan struct{}) {
	go func() {
		for p := range in {
			g.write(p)
		}
	}()
	<-stop
	g.Close()
}

// The goroutine has nothing of it.

func apart(in <-chan []byte, out func([]byte), stop <-chan struct{}) {
	m := meters.Get().(*meter)
	go func() {
		for p := range in {
			out(p)
		}
	}()
	<-stop
	meters.Put(m)
}

// What the channel gives are all answers to what was asked here: it is the signal for those who ask.

func answers(in chan []byte, out func([]byte), next <-chan []byte) {
	m := meters.Get().(*meter)
	go m.run(in, out)
	<-next
	meters.Put(m)
}
