package lifecycle

import "runtime"

// The finalizer runs after Close, too.
type finalized struct{ p *page }

func newFinalized() *finalized {
	f := &finalized{pages.Get().(*page)}
	runtime.SetFinalizer(f, (*finalized).Close)
	return f
}

func (f *finalized) Close() {
	pages.Put(f.p) // want `the finalizer puts it in the pool again after Close did`
}

type finalizedOnce struct{ p *page }

func newFinalizedOnce() *finalizedOnce {
	f := &finalizedOnce{pages.Get().(*page)}
	runtime.SetFinalizer(f, (*finalizedOnce).Close)
	return f
}

func (f *finalizedOnce) Close() {
	if f.p != nil {
		pages.Put(f.p)
		f.p = nil
	}
}
