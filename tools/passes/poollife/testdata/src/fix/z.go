package fix

import "sync"

var slabs = sync.Pool{New: func() any { return new([]byte) }}

func plain(s string) []byte {
	bp := slabs.Get().(*[]byte)
	defer slabs.Put(bp)
	*bp = append((*bp)[:0], s...)
	return *bp // want `memory of bp is returned`
}
