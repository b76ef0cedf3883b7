package outgrown

import "sync"

// One slice is bounded, the others not.

type label struct{ name, value string }

type sample struct{ t, v int64 }

type batch struct {
	labels  []label
	samples []sample
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func (b *batch) dropLarge() {
	if cap(b.samples) > 100 {
		b.samples = nil
		return
	}
	b.samples = b.samples[:0]
}

func (b *batch) release() {
	clear(b.labels)
	b.labels = b.labels[:0]
	b.dropLarge()
	batches.Put(b) // want `field samples of the pooled batch is let go of above a limit .*, but field labels`
}

func (b *batch) add(ls []label, vs []sample) {
	for _, l := range ls {
		b.labels = append(b.labels, l)
	}
	b.samples = append(b.samples, vs...)
}

func take() *batch { return batches.Get().(*batch) }
