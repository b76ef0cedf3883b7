// SPDX-License-Identifier: BSD-3-Clause

package freenodes

import "sync"

// Reset but for one field, which only some set.

type siren struct {
	due    int64
	fire   func()
	cancel func()
	next   *siren
}

func (t *siren) reset() {
	t.due, t.fire = 0, nil
}

type wheel struct {
	mu   sync.Mutex
	free *siren
}

func (w *wheel) take() *siren {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.free
	if t == nil {
		return new(siren)
	}
	w.free = t.next
	t.next = nil
	return t
}

func (w *wheel) give(t *siren) {
	t.reset()
	w.mu.Lock()
	defer w.mu.Unlock()
	t.next = w.free
	w.free = t // want `the siren goes on the free list free, reset but for cancel, which not all who take one set`
}

func (w *wheel) after(due int64, fire func()) *siren {
	t := w.take()
	t.due, t.fire = due, fire
	return t
}

func (w *wheel) cancellable(due int64, fire, cancel func()) *siren {
	t := w.take()
	t.due, t.fire, t.cancel = due, fire, cancel
	return t
}

func (t *siren) stop() {
	if t.cancel != nil {
		t.cancel()
	}
}

// All who take one set it.

type alarm struct {
	due    int64
	fire   func()
	cancel func()
	next   *alarm
}

func (t *alarm) reset() {
	t.due, t.fire = 0, nil
}

type clock struct{ free *alarm }

func (w *clock) take() *alarm {
	t := w.free
	if t == nil {
		return new(alarm)
	}
	w.free = t.next
	t.next = nil
	return t
}

func (w *clock) give(t *alarm) {
	t.reset()
	t.next = w.free
	w.free = t // want `with what it had in cancel: what that leads to is kept alive`
}

func (w *clock) after(due int64, fire, cancel func()) *alarm {
	t := w.take()
	t.due, t.fire, t.cancel = due, fire, cancel
	return t
}

func (w *clock) soon(fire, cancel func()) *alarm {
	t := w.take()
	t.fire, t.cancel = fire, cancel
	return t
}

func (t *alarm) stop() {
	if t.cancel != nil {
		t.cancel()
	}
}

// A kind tells where it counts.

type bell struct {
	kind   int
	fire   func()
	cancel func()
	next   *bell
}

func (t *bell) reset() {
	t.kind, t.fire = 0, nil
}

type tower struct{ free *bell }

func (w *tower) take() *bell {
	t := w.free
	if t == nil {
		return new(bell)
	}
	w.free = t.next
	t.next = nil
	return t
}

func (w *tower) give(t *bell) {
	t.reset()
	t.next = w.free
	w.free = t // want `with what it had in cancel: what that leads to is kept alive`
}

func (w *tower) plain(fire func()) *bell {
	t := w.take()
	t.kind, t.fire = 1, fire
	return t
}

func (w *tower) cancellable(fire, cancel func()) *bell {
	t := w.take()
	t.kind, t.fire, t.cancel = 2, fire, cancel
	return t
}

func (t *bell) stop() {
	if t.kind == 2 && t.cancel != nil {
		t.cancel()
	}
}

// The caller sets it where the taker does not.

type gong struct {
	due    int64
	fire   func()
	cancel func()
	next   *gong
}

func (t *gong) reset() {
	t.due, t.fire = 0, nil
}

type hall struct{ free *gong }

func (w *hall) take() *gong {
	t := w.free
	if t == nil {
		return new(gong)
	}
	w.free = t.next
	t.next = nil
	return t
}

func (w *hall) give(t *gong) {
	t.reset()
	t.next = w.free
	w.free = t // want `with what it had in cancel: what that leads to is kept alive`
}

func (w *hall) plain(fire func()) *gong {
	t := w.take()
	t.fire = fire
	return t
}

func (w *hall) strike(fire, cancel func()) *gong {
	t := w.plain(fire)
	t.cancel = cancel
	return t
}

func (w *hall) cancellable(due int64, fire, cancel func()) *gong {
	t := w.take()
	t.due, t.fire, t.cancel = due, fire, cancel
	return t
}

func (t *gong) stop() {
	if t.cancel != nil {
		t.cancel()
	}
}
