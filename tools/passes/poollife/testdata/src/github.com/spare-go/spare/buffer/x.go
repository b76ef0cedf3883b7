// Package buffer is a stub of the real package's interface.
package buffer

type Buffer struct{ b []byte }

func Get() *Buffer                                        { return new(Buffer) }
func (b *Buffer) Release()                                {}
func (b *Buffer) Bytes() []byte                           { return b.b }
func (b *Buffer) String() string                          { return string(b.b) }
func (b *Buffer) Detach() []byte                          { return nil }
func (b *Buffer) WriteString(s string) (n int, err error) { return len(s), nil }
