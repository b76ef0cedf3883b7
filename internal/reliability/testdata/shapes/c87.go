// SPDX-License-Identifier: BSD-3-Clause

package main

func c87copy(data []byte) []byte {
	buf := arrays.Get(1024)
	buf = append(buf, data...)
	defer arrays.Put(buf)
	return buf
}

func c87() { show(c87copy([]byte("hello"))) }
