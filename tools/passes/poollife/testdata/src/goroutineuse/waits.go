package goroutineuse

import (
	"bytes"
	"sync"
)

func oneOfTwo() {
	b := bufs.Get().(*bytes.Buffer)
	done := make(chan struct{})
	go func() {
		defer func() { done <- struct{}{} }()
		_ = b.Len()
	}()
	go func() {
		_ = b.Cap()
		done <- struct{}{}
	}()
	<-done
	bufs.Put(b) // want `b is put in bufs while the goroutine started at line \d+ may still use it`
}

func oneOfMany(xs []string) {
	b := bufs.Get().(*bytes.Buffer)
	done := make(chan struct{})
	for range xs {
		go func() {
			_ = b.Len()
			done <- struct{}{}
		}()
	}
	<-done
	bufs.Put(b) // want `b is put in bufs while the goroutine started at line \d+ may still use it`
}

func oneChannelOfTwo() {
	b := bufs.Get().(*bytes.Buffer)
	read, written := make(chan int), make(chan int)
	go func() { read <- b.Len() }()
	go func() { written <- b.Cap() }()
	<-read
	bufs.Put(b) // want `b is put in bufs while the goroutine started at line \d+ may still use it`
}

func both() {
	b := bufs.Get().(*bytes.Buffer)
	done := make(chan struct{})
	go func() {
		_ = b.Len()
		done <- struct{}{}
	}()
	go func() {
		_ = b.Cap()
		done <- struct{}{}
	}()
	<-done
	<-done
	bufs.Put(b)
}

func all(xs []string) {
	b := bufs.Get().(*bytes.Buffer)
	done := make(chan struct{}, len(xs))
	for range xs {
		go func() {
			_ = b.Len()
			done <- struct{}{}
		}()
	}
	for range xs {
		<-done
	}
	bufs.Put(b)
}

// The goroutine that closes the channel waits for the others.
func closedByWaiter(xs []string) {
	b := bufs.Get().(*bytes.Buffer)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = b.Len()
		}()
	}
	go func() {
		wg.Wait()
		close(done)
	}()
	<-done
	bufs.Put(b)
}

// A pipeline: the second goroutine ends after the first.
func pipeline(xs []string) {
	b := bufs.Get().(*bytes.Buffer)
	sizes, done := make(chan int), make(chan struct{})
	go func() {
		sizes <- b.Len()
		close(sizes)
	}()
	go func() {
		for range sizes {
		}
		close(done)
	}()
	<-done
	bufs.Put(b)
}

// A function that a field holds is called when the goroutine has come to its end.

type gathered struct{ list []int }

var gatheredPool = sync.Pool{New: func() any { return new(gathered) }}

type summer struct{ from *gathered }

func newSummer(list []int) *summer {
	g := gatheredPool.Get().(*gathered)
	g.list = append(g.list[:0], list...)
	return &summer{from: g}
}

func (g *summer) end() { gatheredPool.Put(g.from) }

type gathering struct {
	all   sync.WaitGroup
	sum   int
	close func()
}

func gather(g *summer) *gathering {
	x := &gathering{close: g.end}
	x.all.Add(1)
	go func() {
		defer x.all.Done()
		for _, n := range g.from.list {
			x.sum += n
		}
	}()
	return x
}

// Sum waits.
func (x *gathering) Sum() int {
	x.all.Wait()
	return x.sum
}

// Close does, too.
func (x *gathering) Close() {
	x.all.Wait()
	x.close()
}

type hasty struct {
	all   sync.WaitGroup
	sum   int
	close func()
}

func gatherHastily(g *summer) *hasty {
	x := &hasty{close: g.endHastily}
	x.all.Add(1)
	go func() {
		defer x.all.Done()
		for _, n := range g.from.list {
			x.sum += n
		}
	}()
	return x
}

func (g *summer) endHastily() {
	gatheredPool.Put(g.from) // want `is put in gatheredPool while the goroutine started at line 168 may still use it`
}

// Close does not wait.
func (x *hasty) Close() { x.close() }
