// SPDX-License-Identifier: BSD-3-Clause

package magazine

// A lent is a set of arrays that are with users, by address. It does not keep them alive.
// It is a hash table with linear probing, and not a map, because the race detector would
// see the accesses to a map, but not the lock that orders them.
type lent struct {
	keys  []uintptr // 0: free; the length is a power of two
	n     int
	bytes int64
}

// home returns where a key belongs. Fibonacci hashing: Knuth, "The Art of Computer
// Programming", volume 3, section 6.4.
//
//go:norace
func (l *lent) home(key uintptr) int {
	return int(uint64(key)*0x9e3779b97f4a7c15>>32) & (len(l.keys) - 1)
}

// add adds a key, of an array of the given bytes. It may be there already: then the array
// that had the address before was lost.
//
//go:norace
func (l *lent) add(key uintptr, bytes int64) {
	if 2*(l.n+1) > len(l.keys) {
		old := l.keys
		l.keys = make([]uintptr, max(2*len(old), 16))
		for _, k := range old {
			if k != 0 {
				l.insert(k)
			}
		}
	}
	if l.insert(key) {
		l.n++
		l.bytes += bytes
	}
}

// insert reports whether the key was not there.
//
//go:norace
func (l *lent) insert(key uintptr) bool {
	i := l.home(key)
	for l.keys[i] != 0 {
		if l.keys[i] == key {
			return false
		}
		i = (i + 1) & (len(l.keys) - 1)
	}
	l.keys[i] = key
	return true
}

// remove removes a key, if it is there, of an array of the given bytes.
//
//go:norace
func (l *lent) remove(key uintptr, bytes int64) bool {
	if l.n == 0 {
		return false
	}
	mask := len(l.keys) - 1
	i := l.home(key)
	for l.keys[i] != key {
		if l.keys[i] == 0 {
			return false
		}
		i = (i + 1) & mask
	}
	// Close the gap: what follows moves up, unless it is at home behind the gap.
	for j := i; ; {
		j = (j + 1) & mask
		k := l.keys[j]
		if k == 0 {
			break
		}
		if (j-l.home(k))&mask >= (j-i)&mask {
			l.keys[i] = k
			i = j
		}
	}
	l.keys[i] = 0
	l.n--
	l.bytes = max(l.bytes-bytes, 0)
	return true
}

// clear empties the set, and keeps its memory if it is not much.
//
//go:norace
func (l *lent) clear() {
	if len(l.keys) > 1024 {
		*l = lent{}
		return
	}
	for i := range l.keys {
		l.keys[i] = 0
	}
	l.n, l.bytes = 0, 0
}
