package peers

import "google.golang.org/grpc/mem"

// A new buffer has one reference: where the path takes no other, Free gives it back.

func grpcTwice(data []byte) {
	b := mem.Copy(data, mem.DefaultBufferPool())
	b.Free()
	b.Free() // want `b is put in mem.Buffer a second time; the first Put is at line 9`
}

func grpcLate(data []byte) int {
	b := mem.Copy(data, mem.DefaultBufferPool())
	b.Free()
	return len(b.ReadOnlyData()) // want `b is used by ReadOnlyData after it was put in mem.Buffer \(line 15\)`
}

func grpcAlias(data []byte) []byte {
	b := mem.Copy(data, mem.DefaultBufferPool())
	defer b.Free()
	return b.ReadOnlyData() // want `memory of b is returned while the deferred call puts it in mem.Buffer`
}

func grpcLost(data []byte) int {
	b := mem.Copy(data, mem.DefaultBufferPool()) // want `b, taken from mem.Buffer at line .*, is not put back on the path that ends here`
	if len(data) == 0 {
		return 0
	}
	n := b.Len()
	b.Free()
	return n
}

func grpcSecond(data []byte) int {
	b := mem.Copy(data, mem.DefaultBufferPool())
	b.Ref()
	b.Free()
	n := len(b.ReadOnlyData())
	b.Free()
	return n
}

func grpcPart(data []byte) []byte {
	b := mem.Copy(data, mem.DefaultBufferPool())
	s := b.Slice(1, 2)
	b.Free()
	out := append([]byte(nil), s.ReadOnlyData()...)
	s.Free()
	return out
}

func grpcInSlice(data []byte) int {
	var list mem.BufferSlice
	b := mem.Copy(data, mem.DefaultBufferPool())
	list = append(list, b)
	n := list.Len()
	list.Free()
	return n
}

func grpcShared(data []byte, use func(mem.Buffer)) {
	b := mem.Copy(data, mem.DefaultBufferPool())
	b.Ref()
	go func() {
		use(b)
		b.Free()
	}()
	use(b)
	b.Free()
}

func grpcCopied(data []byte) []byte {
	b := mem.Copy(data, mem.DefaultBufferPool())
	defer b.Free()
	return append([]byte(nil), b.ReadOnlyData()...)
}
