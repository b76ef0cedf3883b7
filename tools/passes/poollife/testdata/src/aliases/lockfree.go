// SPDX-License-Identifier: BSD-3-Clause

package aliases

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

type table struct {
	names []string
	refs  atomic.Int32
}

var tables = sync.Pool{New: func() any { return new(table) }}

type router struct {
	cur   atomic.Pointer[table]
	held  atomic.Pointer[table]
	quiet atomic.Pointer[table]
	mu    sync.RWMutex
	under atomic.Pointer[table]
	slot  atomic.Value
	raw   unsafe.Pointer
	only  atomic.Pointer[table]
}

func (r *router) lookup(k int) string { return r.cur.Load().names[k] }

func (r *router) replace(t *table) {
	if old := r.cur.Swap(t); old != nil {
		tables.Put(old) // want `old, swapped out of cur at line 32, is put while who loaded that pointer before may still read it`
	}
}

func (r *router) replaceLater(t *table) {
	old := r.cur.Swap(t)
	defer func() {
		recycle(old) // want `old, swapped out of cur at line 38,`
	}()
	r.count()
}

func (r *router) count() int { return 0 }

func recycle(t *table) {
	t.names = t.names[:0]
	tables.Put(t)
}

func (r *router) exchange(t *table) bool {
	old := r.cur.Load()
	if !r.cur.CompareAndSwap(old, t) {
		return false
	}
	recycle(old) // want `old, swapped out of cur at line 53,`
	return true
}

// What was never published is its maker's.
func (r *router) tryExchange(t *table) bool {
	old := r.cur.Load()
	if !r.cur.CompareAndSwap(old, t) {
		tables.Put(t)
		return false
	}
	return true
}

// Readers count themselves.
func (r *router) acquire() *table {
	t := r.held.Load()
	t.refs.Add(1)
	if t.names == nil {
		return nil
	}
	return t
}

func (r *router) drop() { tables.Put(r.held.Swap(nil)) }

// Nobody reads through the pointer but by taking it out.
func (r *router) take() *table { return r.quiet.Swap(nil) }

func (r *router) empty() bool { return r.quiet.Load() == nil }

func (r *router) give() {
	if t := r.quiet.Swap(nil); t != nil {
		recycle(t)
	}
}

// A lock keeps readers out.
func (r *router) size() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.under.Load().names)
}

func (r *router) renew(t *table) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tables.Put(r.under.Swap(t))
}

func (r *router) first() string { return r.slot.Load().(*table).names[0] }

func (r *router) second(t *table) {
	old, _ := r.slot.Swap(t).(*table)
	tables.Put(old) // want `old, swapped out of slot at line 110,`
}

func (r *router) third() string { return (*table)(atomic.LoadPointer(&r.raw)).names[0] }

func (r *router) fourth(t *table) {
	tables.Put((*table)(atomic.SwapPointer(&r.raw, unsafe.Pointer(t)))) // want `what was swapped out of raw`
}

// The swapper waits until readers are through.
var readers sync.WaitGroup

func (r *router) read() int {
	readers.Add(1)
	defer readers.Done()
	return len(r.only.Load().names)
}

func (r *router) swapAndWait(t *table) {
	old := r.only.Swap(t)
	readers.Wait()
	tables.Put(old)
}
