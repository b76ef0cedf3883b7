package lostpaths

import (
	"sync"
	"sync/atomic"
)

// The last of several goroutines puts what all of them have: where there is nothing to start them for, there is nothing
// to be done.
type batch struct {
	left atomic.Int32
}

var jobsLeft = sync.Pool{New: func() any { return new(batch) }}

func (j *batch) release() {
	if j.left.Add(-1) == 0 {
		jobsLeft.Put(j)
	}
}

func (j *batch) run(f func()) {
	f()
	j.release()
}

func (j *batch) start(f func()) { go j.run(f) }

func startLiterals(fs []func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for _, f := range fs {
		go func() {
			f()
			if j.left.Add(-1) == 0 {
				jobsLeft.Put(j)
			}
		}()
	}
}

func startDeferred(fs map[string]func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for _, f := range fs {
		go func() {
			defer j.release()
			f()
		}()
	}
}

func startMethods(n int, f func()) {
	if n == 0 {
		return
	}
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(n))
	for range n {
		go j.run(f)
	}
}

func startCounted(n int, f func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(n))
	for i := 0; i < n; i++ {
		j.start(f)
	}
}

func startEach(all [][]func()) {
	for _, fs := range all {
		j := jobsLeft.Get().(*batch)
		j.left.Store(int32(len(fs)))
		for _, f := range fs {
			go j.run(f)
		}
	}
}

// The path gives up before the loop.
func startFew(fs []func()) bool {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here \(line 87\)`
	j.left.Store(int32(len(fs)))
	if len(fs) > 8 {
		return false
	}
	for _, f := range fs {
		go j.run(f)
	}
	return true
}

// The path leaves the loop before the first goroutine is started.
func startGood(fs []func()) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here \(line 101\)`
	j.left.Store(int32(len(fs)))
	for _, f := range fs {
		if f == nil {
			return
		}
		go j.run(f)
	}
}

// Nobody puts it.
func startUsers(fs []func()) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here`
	for _, f := range fs {
		go func() {
			f()
			j.left.Add(1)
		}()
	}
}

// Another loop is passed by without a turn.
func startOne(fs []func()) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here \(line 125\)`
	for range fs {
		j.left.Add(1)
	}
	if len(fs) == 0 {
		return
	}
	go func() {
		for _, f := range fs {
			f()
		}
		jobsLeft.Put(j)
	}()
}

// The goroutines are there already, and are sent what they have to do.
type share struct {
	j *batch
	f func()
}

type crew struct {
	shares chan share
	funcs  chan func()
}

func (c *crew) work() {
	for s := range c.shares {
		s.j.run(s.f)
	}
}

func (c *crew) call() {
	for f := range c.funcs {
		f()
	}
}

func (c *crew) send(fs []func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for _, f := range fs {
		c.shares <- share{j, f}
	}
}

func (c *crew) sendFuncs(fs []func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for _, f := range fs {
		c.funcs <- func() { j.run(f) }
	}
}

func (c *crew) sendFew(fs []func()) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here`
	j.left.Store(int32(len(fs)))
	if len(fs) > 8 {
		return
	}
	for _, f := range fs {
		c.shares <- share{j, f}
	}
}

// What no turn could send is lost.
func (c *crew) try(f func(), n int) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here`
	j.left.Store(1)
	for range n {
		select {
		case c.shares <- share{j, f}:
			return
		default:
		}
	}
}

// Each goroutine has a reference of its own, and so has who started them.
func (j *batch) retain() { j.left.Add(1) }

func startWithOwn(fs []func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(1)
	for _, f := range fs {
		j.retain()
		go j.run(f)
	}
	j.release()
}

func startAndKeep(fs []func()) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here|not given up`
	j.left.Store(1)
	for _, f := range fs {
		j.retain()
		go j.run(f)
	}
}

// The loop ends by the second half of its condition before the first turn.
func startWhile(n int, ok bool, f func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(n))
	for i := 0; i < n && ok; i++ {
		go j.run(f)
	}
}

func startUntil(fs []func(), stop *atomic.Bool) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for i := 0; !stop.Load() && i < len(fs); i++ {
		j.start(fs[i])
	}
}

func startAsLong(fs []func(), more func() bool) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for len(fs) > 0 && more() {
		go j.run(fs[0])
		fs = fs[1:]
	}
}

func startEither(n int, x, y bool, f func()) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(n))
	for n > 0 && (x || y) {
		go j.run(f)
		n--
	}
}

func (c *crew) sendWhile(fs []func(), ok bool) {
	j := jobsLeft.Get().(*batch)
	j.left.Store(int32(len(fs)))
	for i := 0; i < len(fs) && ok; i++ {
		c.shares <- share{j, fs[i]}
	}
}

// The path gives up before such a loop.
func startFewWhile(n int, ok bool, f func()) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here`
	j.left.Store(int32(n))
	if n > 8 {
		return
	}
	for i := 0; i < n && ok; i++ {
		go j.run(f)
	}
}

// A turn begins, and starts nothing.
func startGoodWhile(fs []func(), ok bool) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here`
	j.left.Store(int32(len(fs)))
	for i := 0; i < len(fs) && ok; i++ {
		if fs[i] == nil {
			return
		}
		go j.run(fs[i])
	}
}

// Another loop ends so.
func startOneWhile(fs []func(), ok bool) {
	j := jobsLeft.Get().(*batch) // want `is not put back on the path that ends here`
	for i := 0; i < len(fs) && ok; i++ {
		j.left.Add(1)
	}
	if len(fs) == 0 {
		return
	}
	go func() {
		for _, f := range fs {
			f()
		}
		jobsLeft.Put(j)
	}()
}
