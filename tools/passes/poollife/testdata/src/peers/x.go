package peers

import (
	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/spare-go/spare"
	sbuf "github.com/spare-go/spare/buffer"
	"github.com/valyala/bytebufferpool"
	"github.com/valyala/fasthttp"
	"go.uber.org/zap/buffer"
	"google.golang.org/grpc/mem"
)

func bbp(s string) []byte {
	b := bytebufferpool.Get()
	defer bytebufferpool.Put(b)
	b.B = append(b.B, s...)
	return b.B // want `memory of b is returned while the deferred call puts it in bytebufferpool`
}

func bbpRight(s string) string {
	b := bytebufferpool.Get()
	defer bytebufferpool.Put(b)
	b.B = append(b.B, s...)
	return b.String()
}

func request() ([]byte, error) {
	q, r := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(q)
	defer fasthttp.ReleaseResponse(r)
	if err := fasthttp.Do(q, r); err != nil {
		return nil, err
	}
	return append([]byte(nil), r.Body()...), nil
}

func requestLeaks() error {
	q := fasthttp.AcquireRequest()
	r := fasthttp.AcquireResponse() // want `r, taken from fasthttp at line 39, is not put back on any path`
	defer fasthttp.ReleaseRequest(q)
	return fasthttp.Do(q, r)
}

var zp = buffer.NewPool()

func zap() string {
	b := zp.Get()
	b.AppendString("x")
	b.Free()
	return b.String() // want `b is used by String after it was put in`
}

func zapRight() string {
	b := zp.Get()
	b.AppendString("x")
	s := b.String()
	b.Free()
	return s
}

type object struct{ n int }

var objects spare.Pool[object]

func spared() int {
	o := objects.Get()
	objects.Put(o)
	return o.n // want `o is read after it was put in objects`
}

func sparedRight() int {
	o := objects.Get()
	defer objects.Put(o)
	return o.n
}

var slabs spare.Slices[byte]

func slab(s string) []byte {
	b := slabs.Get(len(s))
	b = append(b, s...)
	slabs.Put(b)
	return b // want `b is returned after it was put in slabs`
}

func slabGrow(s string, more []byte) string {
	b := slabs.Get(len(s))
	b = append(b, s...)
	b = slabs.Grow(b, len(more))
	b = append(b, more...)
	out := string(b)
	slabs.Put(b)
	return out
}

func slabGrowOld(s string) byte {
	b := slabs.Get(len(s))
	b = append(b, s...)
	c := slabs.Grow(b, 100)
	x := b[0] // want `b is read after it was put in slabs`
	slabs.Put(c)
	return x
}

func released() []byte {
	b := sbuf.Get()
	defer b.Release()
	b.WriteString("x")
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in buffer.Buffer`
}

func detached() []byte {
	b := sbuf.Get()
	defer b.Release()
	b.WriteString("x")
	return b.Detach()
}

func grpcPool(n int) byte {
	p := mem.DefaultBufferPool()
	b := p.Get(n)
	p.Put(b)
	return (*b)[0] // want `b is read after it was put in`
}

func grpcCounted(b mem.Buffer) []byte {
	b.Ref()
	b.Free()
	return b.ReadOnlyData()
}

func cached(n int) {
	b := mcache.Malloc(n)
	mcache.Free(b)
	mcache.Free(b) // want `b is put in mcache a second time`
}

// Functions of a package without a receiver are all of one pool.
func twoFunctions(s string) string {
	b := bytebufferpool.Get()
	b.B = append(b.B, s...)
	out := b.String()
	bytebufferpool.Put(b)
	return out
}
