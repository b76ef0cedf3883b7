// SPDX-License-Identifier: BSD-3-Clause

package callbacks

import "sync"

// A field has the steps of some work, which are called in turn.

var plates = sync.Pool{New: func() any { return new([64]byte) }}

type order struct {
	plate *[64]byte
	ready bool
}

type kitchen struct {
	steps, quick, some []func(*kitchen, *order) error
}

func newKitchen(more func(*kitchen, *order) error) *kitchen {
	k := &kitchen{steps: []func(*kitchen, *order) error{lay, cook, tidy}}
	k.quick = []func(*kitchen, *order) error{lay, cook}
	k.some = []func(*kitchen, *order) error{lay, tidy}
	k.some = append(k.some, more)
	return k
}

func lay(_ *kitchen, o *order) error {
	o.plate = plates.Get().(*[64]byte)
	return nil
}

func cook(_ *kitchen, o *order) error {
	o.plate[0] = 1
	o.ready = true
	return nil
}

func tidy(_ *kitchen, o *order) error {
	plates.Put(o.plate)
	return nil
}

// all has the plate cleared by the last step.
func (k *kitchen) all(o *order) byte {
	for _, step := range k.steps {
		if err := step(k, o); err != nil {
			return 0
		}
	}
	return o.plate[0] // want `is read after it was put in plates`
}

// fast clears it after the last use.
func (k *kitchen) fast(o *order) byte {
	for _, step := range k.quick {
		if err := step(k, o); err != nil {
			return 0
		}
	}
	b := o.plate[0]
	plates.Put(o.plate)
	return b
}

// again clears what the last step cleared.
func (k *kitchen) again(o *order) {
	for i := range k.steps {
		k.steps[i](k, o)
	}
	tidy(k, o) // want `is put in plates a second time`
}

// open has steps that nobody knows here.
func (k *kitchen) open(o *order) {
	for _, step := range k.some {
		step(k, o)
	}
}
