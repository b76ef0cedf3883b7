// SPDX-License-Identifier: BSD-3-Clause

package main

func c04() {
	buf := arrays.Get(128)[:128]
	defer func() {
		arrays.Put(buf)
	}()
	copyBlock(4096, buf)
}

func copyBlock(n int, buf []byte) bool {
	buf = upgrade(buf, n)
	for i := range buf {
		buf[i] = 0
	}
	return len(buf) > 0
}

func upgrade(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	arrays.Put(b)
	return arrays.Get(n)[:n]
}
