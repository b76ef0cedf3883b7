// Package buffer is a stub of the real package's interface: what its bodies do with the bytes is what the real ones may do.
package buffer

type Buffer struct{ b []byte }

var last *Buffer

func Get() *Buffer              { return new(Buffer) }
func (b *Buffer) Release()      {}
func (b *Buffer) Bytes() []byte { return b.b }
func (b *Buffer) String() string {
	return string(b.b)
}

func (b *Buffer) Detach() []byte {
	p := b.b
	b.b = nil
	return p
}

func (b *Buffer) WriteString(s string) (n int, err error) {
	last = b
	b.b = append(b.b, s...)
	return len(s), nil
}
