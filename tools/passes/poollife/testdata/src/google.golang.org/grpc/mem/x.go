// Package mem is a stub of the real package's interface.
package mem

type BufferPool interface {
	Get(length int) *[]byte
	Put(*[]byte)
}

type Buffer interface {
	ReadOnlyData() []byte
	Ref()
	Free()
}

func DefaultBufferPool() BufferPool { return nil }

type BufferSlice []Buffer

func (s BufferSlice) Ref()                {}
func (s BufferSlice) Free()               {}
func (s BufferSlice) Materialize() []byte { return nil }
