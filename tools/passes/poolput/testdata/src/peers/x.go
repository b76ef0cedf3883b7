package peers

import "github.com/valyala/bytebufferpool"

func same(s string) string {
	b := bytebufferpool.Get()
	b.B = append(b.B, s...)
	out := b.String()
	bytebufferpool.Put(b)
	return out
}

var heads, bodies bytebufferpool.Pool

func other() {
	b := heads.Get()
	bodies.Put(b) // want `b was taken from heads but is put in bodies`
}
