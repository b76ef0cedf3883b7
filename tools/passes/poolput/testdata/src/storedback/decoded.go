// SPDX-License-Identifier: BSD-3-Clause

package storedback

import (
	"encoding/hex"
	"sync"
)

var hexBufs = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

// Right: what was decoded of a bad input is dropped.
func decoded(src []byte, use func([]byte)) error {
	b := hexBufs.Get().(*[]byte)
	out, err := hex.AppendDecode((*b)[:0], src)
	if err != nil {
		hexBufs.Put(b)
		return err
	}
	*b = out
	use(out)
	hexBufs.Put(b)
	return nil
}

// Wrong: and so is what was good.
func decodedWrong(src []byte, use func([]byte)) error {
	b := hexBufs.Get().(*[]byte)
	out, err := hex.AppendDecode((*b)[:0], src)
	if err != nil {
		hexBufs.Put(b)
		return err
	}
	use(out)
	hexBufs.Put(b) // want `the grown slice is not stored back`
	return nil
}
