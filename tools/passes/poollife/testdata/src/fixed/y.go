package fixed

import (
	"strings"
	"unsafe"
)

func text(s string) string {
	bp := slabs.Get().(*[]byte)
	defer slabs.Put(bp)
	*bp = append((*bp)[:0], s...)
	if len(s) > 9 {
		return strings.ToUpper(s)
	}
	return strings.Clone(unsafe.String(unsafe.SliceData(*bp), len(*bp)))
}
