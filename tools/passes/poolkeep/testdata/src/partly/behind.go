package partly

import "sync"

// Wrong: drained is set back only where there is a source, which stop takes away.
type tap struct {
	src     *int
	drained bool
}

var taps = sync.Pool{New: func() any { return new(tap) }}

func (t *tap) start(n int) {
	if t.src == nil {
		t.src = &n
		return
	}
	if !t.drained {
		println(*t.src)
	}
	t.drained = false
}

func (t *tap) stop() { // want `stop empties field src of the pooled tap but not drained, which is set back only where src is set`
	t.src = nil
	taps.Put(t)
}

func useTap(in []int) {
	t := taps.Get().(*tap)
	defer t.stop()
	for _, n := range in {
		t.start(n)
		if n == 4 {
			t.drained = true
		}
	}
}

// Right: both are emptied.
type cock struct {
	src     *int
	drained bool
}

var cocks = sync.Pool{New: func() any { return new(cock) }}

func (t *cock) start(n int) {
	if t.src == nil {
		t.src = &n
		return
	}
	if !t.drained {
		println(*t.src)
	}
	t.drained = false
}

func (t *cock) stop() {
	t.src = nil
	t.drained = false
	cocks.Put(t)
}

func useCock(in []int) {
	t := cocks.Get().(*cock)
	defer t.stop()
	for _, n := range in {
		t.start(n)
		if n == 4 {
			t.drained = true
		}
	}
}

// Right: it is set back on the other way as well.
type valve struct {
	src     *int
	drained bool
}

var valves = sync.Pool{New: func() any { return new(valve) }}

func (t *valve) start(n int) {
	if t.src == nil {
		t.src = &n
		t.drained = false
		return
	}
	if !t.drained {
		println(*t.src)
	}
	t.drained = false
}

func (t *valve) stop() {
	t.src = nil
	valves.Put(t)
}

func useValve(in []int) {
	t := valves.Get().(*valve)
	defer t.stop()
	for _, n := range in {
		t.start(n)
		if n == 4 {
			t.drained = true
		}
	}
}
