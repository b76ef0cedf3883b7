// SPDX-License-Identifier: BSD-3-Clause

// Package keys has no pool.
package keys

type Key struct{ B []byte }

func (k *Key) Reset() {
	for len(k.B) > 0 {
		k.B = k.B[:len(k.B)-1]
	}
}

func Number(dst []byte, n int) []byte {
	for n > 0 {
		dst = append(dst, byte(n))
		n >>= 8
	}
	return dst
}
