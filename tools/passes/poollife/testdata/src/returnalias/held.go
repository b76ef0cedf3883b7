// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import "sync"

// Containers in what is returned, and a free list chosen by size.

var (
	shortKeys = make(chan []byte, 8)
	longKeys  = make(chan []byte, 8)
	keyBoxes  = sync.Pool{New: func() any { b := make([]byte, 0, 32); return &b }}
)

func getKey(n int) []byte {
	ch := longKeys
	if n < 64 {
		ch = shortKeys
	}
	select {
	case b := <-ch:
		if cap(b) >= n {
			return b[:n]
		}
	default:
	}
	return make([]byte, n)
}

func putKey(b []byte) {
	ch := longKeys
	if cap(b) < 64 {
		ch = shortKeys
	}
	select {
	case ch <- b:
	default:
	}
}

type wireKey struct{ sum []byte }

type key struct{ sum []byte }

type index struct {
	name string
	keys []key
}

func toIndex(name string, in []wireKey) index {
	var keys []key
	for _, w := range in {
		keys = append(keys, key{w.sum})
		putKey(w.sum)
	}
	return index{name, keys} // want `memory of w.sum is returned after it was put in the channel`
}

func toIndexCopied(name string, in []wireKey) index {
	var keys []key
	for _, w := range in {
		keys = append(keys, key{append([]byte(nil), w.sum...)})
		putKey(w.sum)
	}
	return index{name, keys}
}

func firstKey(n int, fill func([]byte)) []byte {
	b := getKey(n)
	fill(b)
	putKey(b)
	return b // want `b is returned after it was put in the channel`
}

type boxedKey struct{ box *[]byte }

func oneBox(b boxedKey) []boxedKey {
	list := []boxedKey{{b.box}}
	keyBoxes.Put(b.box)
	return list // want `memory of b.box is returned after it was put in keyBoxes`
}

func grownBox(b boxedKey) (list []boxedKey) {
	list = append(list, boxedKey{b.box})
	keyBoxes.Put(b.box)
	return list // want `memory of b.box is returned after it was put in keyBoxes`
}

// What is kept is not what is put.
func keepLong(in []*[]byte) (list []*[]byte) {
	for _, b := range in {
		if len(*b) > 8 {
			list = append(list, b)
			continue
		}
		keyBoxes.Put(b)
	}
	return list
}
