// SPDX-License-Identifier: BSD-3-Clause

package magazine

import "unsafe"

// batch is how many values a magazine holds: as many as fit into two cache lines
// with the rest of it.
const batch = 14

// shardMagazines is the number of magazines, full or empty, that a shard keeps at most
// beside the one in use, out of the depot's lock: enough for 84 values in turn.
const shardMagazines = 5

// shardBytes is the number of bytes that a shard holds at most. A value that is larger
// passes through the depot: its use takes so long that a lock does not show, and one
// for each P would be a lot of memory.
const shardBytes = 64 << 10

// depotSlack is the number of bytes for each P that a depot may hold whatever was in
// use: as much as the shards may leave there when they are trimmed.
const depotSlack = shardBytes

// A batchBuf carries values from one place to another. It lives on the stack.
type batchBuf [batch]unsafe.Pointer

// A magazine holds up to batch values: 128 bytes, a size class of Go's allocator.
type magazine struct {
	next  *magazine // first: the collector then finds the chain before the values
	slots batchBuf
	n     int // values in slots, except while it is a shard's cur
}

// A depot is a stack of values in magazines. It is guarded by core.mu.
type depot struct {
	top   *magazine
	count int // values held
	low   int // fewest values held in the current window

	weight int64 // bytes of a value; 0 if each has its own
	bytes  int64 // held

	empty    *magazine // for reuse
	empties  int
	lowEmpty int // as low
}

// weigh returns the bytes of values.
//
//go:norace
func (d *depot) weigh(values []unsafe.Pointer) (bytes int64) {
	if d.weight != 0 {
		return d.weight * int64(len(values))
	}
	for _, x := range values {
		bytes += (*entry)(x).weight()
	}
	return bytes
}

// weighChain returns the number of values in a chain, and their bytes.
//
//go:norace
func (d *depot) weighChain(chain *magazine) (n, bytes int64) {
	for m := chain; m != nil; m = m.next {
		n += int64(m.n)
		bytes += d.weigh(m.slots[:m.n])
	}
	return n, bytes
}

// push adds the first k values of buf, and clears them there.
//
//go:norace
func (d *depot) push(buf *batchBuf, k int) {
	d.bytes += d.weigh(buf[:k])
	for i := range k {
		m := d.top
		if m == nil || m.n == batch {
			m = d.popEmpty()
			m.next = d.top
			d.top = m
		}
		m.slots[m.n] = buf[i]
		m.n++
		buf[i] = nil
	}
	d.count += k
}

// pushChain adds a chain of magazines, newest first, of which either all are empty
// or none is.
//
//go:norace
func (d *depot) pushChain(chain *magazine) {
	if chain == nil {
		return
	}
	last, n, values := chain, 1, chain.n
	for ; last.next != nil; last = last.next {
		n++
		values += last.next.n
	}
	if values == 0 {
		last.next = d.empty
		d.empty = chain
		d.empties += n
	} else {
		_, bytes := d.weighChain(chain)
		last.next = d.top
		d.top = chain
		d.count += values
		d.bytes += bytes
	}
}

// popOne removes the newest value, or returns nil.
//
//go:norace
func (d *depot) popOne() unsafe.Pointer {
	m := d.top
	if m == nil {
		return nil
	}
	m.n--
	x := m.slots[m.n]
	d.bytes -= d.weigh(m.slots[m.n : m.n+1])
	m.slots[m.n] = nil
	d.count--
	d.low = min(d.low, d.count)
	if m.n == 0 {
		d.top = m.next
		d.pushEmpty(m)
	}
	return x
}

// newestSize returns the size of the value that popOne would return, in the depot of a
// Sized pool.
//
//go:norace
func (d *depot) newestSize() int {
	if m := d.top; m != nil {
		return (*entry)(m.slots[m.n-1]).size
	}
	return 0
}

// popMagazine removes the newest magazine, if there is one.
//
//go:norace
func (d *depot) popMagazine() *magazine {
	m := d.top
	if m == nil {
		return nil
	}
	d.top = m.next
	m.next = nil
	d.count -= m.n
	d.bytes -= d.weigh(m.slots[:m.n])
	d.low = min(d.low, d.count)
	return m
}

// popShare is popMagazine for one P of several: of a last magazine that is not full
// it leaves the older half. A small working set would otherwise gather on one P, and
// the others would miss.
//
//go:norace
func (d *depot) popShare() *magazine {
	m := d.top
	if m == nil || m.next != nil || m.n == batch || m.n == 1 {
		return d.popMagazine()
	}
	share := d.popEmpty()
	left := m.n / 2
	for i := left; i < m.n; i++ {
		share.slots[i-left] = m.slots[i]
		m.slots[i] = nil
	}
	share.n = m.n - left
	m.n = left
	d.count -= share.n
	d.bytes -= d.weigh(share.slots[:share.n])
	d.low = min(d.low, d.count)
	return share
}

// pushEmpty keeps an empty magazine for reuse.
//
//go:norace
func (d *depot) pushEmpty(m *magazine) {
	m.next = d.empty
	d.empty = m
	d.empties++
}

// popEmpty returns an empty magazine.
//
//go:norace
func (d *depot) popEmpty() *magazine {
	m := d.empty
	if m == nil {
		return new(magazine)
	}
	d.empty = m.next
	m.next = nil
	d.empties--
	d.lowEmpty = min(d.lowEmpty, d.empties)
	return m
}

// trimEmpty ends a window for the empty magazines: those that it did not need
// are left to the collector, but for keep of them.
//
//go:norace
func (d *depot) trimEmpty(keep int) {
	for range d.lowEmpty - keep {
		d.empty = d.empty.next
		d.empties--
	}
	d.lowEmpty = d.empties
}

// trim removes the n values that were put longest ago, or all if there are
// fewer, and returns them in a chain.
//
//go:norace
func (d *depot) trim(n int) *magazine {
	keep := d.count - n
	if keep <= 0 {
		all := d.top
		d.top, d.count, d.low, d.bytes = nil, 0, 0, 0
		return all
	}
	kept, m := d.top.n, d.top
	for kept < keep {
		m = m.next
		kept += m.n
	}
	old := m.next
	m.next = nil
	if extra := kept - keep; extra > 0 {
		// The magazine on the border is divided.
		part := &magazine{next: old, n: extra}
		for i := range m.n {
			if i < extra {
				part.slots[i] = m.slots[i]
			} else {
				m.slots[i-extra] = m.slots[i]
			}
		}
		for i := m.n - extra; i < m.n; i++ {
			m.slots[i] = nil
		}
		m.n -= extra
		old = part
	}
	d.count = keep
	d.low = min(d.low, keep)
	_, bytes := d.weighChain(old)
	d.bytes -= bytes
	return old
}
