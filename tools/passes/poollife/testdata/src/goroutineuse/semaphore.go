// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import "sync"

// Channels that count what goes on.

type slip struct{ text []byte }

var slipPool = sync.Pool{New: func() any { return new(slip) }}

type press struct{ slots chan struct{} }

func (p *press) enter() { p.slots <- struct{}{} }
func (p *press) leave() { <-p.slots }

func (p *press) print(out chan byte) {
	p.enter()
	s := slipPool.Get().(*slip)
	go func() { out <- s.text[0] }()
	p.leave()
	slipPool.Put(s) // want `s is put in slipPool while the goroutine started at line 21 may still use it`
}

func (p *press) printOr(stop chan struct{}, out chan byte) {
	select {
	case p.slots <- struct{}{}:
	case <-stop:
		return
	}
	defer p.leave()
	s := slipPool.Get().(*slip)
	defer slipPool.Put(s) // want `s is put in slipPool while the goroutine started at line 35 may still use it`
	go func() { out <- s.text[0] }()
	p.leave()
	p.enter()
}

// The goroutine leaves.
func (p *press) printOne(out []byte) {
	p.enter()
	s := slipPool.Get().(*slip)
	go func() {
		out[0] = s.text[0]
		p.leave()
	}()
	p.enter()
	p.leave()
	slipPool.Put(s)
}

// The goroutine answers on the channel that it is asked on.
func (p *press) printAsked(out []byte) {
	turn := make(chan struct{})
	s := slipPool.Get().(*slip)
	go func() {
		<-turn
		out[0] = s.text[0]
		turn <- struct{}{}
	}()
	turn <- struct{}{}
	<-turn
	slipPool.Put(s)
}

// There is a signal of its end.
func (p *press) printDone(out []byte) {
	p.enter()
	defer p.leave()
	s := slipPool.Get().(*slip)
	done := make(chan struct{})
	go func() {
		out[0] = s.text[0]
		close(done)
	}()
	<-done
	slipPool.Put(s)
}

// A method that has the press answers.
func (p *press) run(s *slip, out []byte) {
	out[0] = s.text[0]
	<-p.slots
	p.slots <- struct{}{}
}

func (p *press) printMethod(out []byte) {
	s := slipPool.Get().(*slip)
	go p.run(s, out)
	p.slots <- struct{}{}
	<-p.slots
	slipPool.Put(s)
}

// A number with a fraction may be one, too.
func (p *press) printAt(speed float64, out chan byte) {
	p.enter()
	s := slipPool.Get().(*slip)
	if speed == 1.0 {
		out <- s.text[0]
	}
	p.enter()
	p.leave()
	slipPool.Put(s)
	p.leave()
}
