package table

// Each pool of the table: a value that is lost shows that its Get is known, one that is used after it was put that its
// Put is.

import (
	"bytes"
	"errors"
	"io"
	"net/http/httputil"

	"example.com/pb"
	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/gorilla/websocket"
	pool "github.com/libp2p/go-buffer-pool"
	"github.com/spare-go/spare"
	sbuf "github.com/spare-go/spare/buffer"
	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/jsonpool"
	"github.com/spare-go/spare/codec/zstdpool"
	"github.com/valyala/bytebufferpool"
	"github.com/valyala/fasthttp"
	"go.uber.org/zap/buffer"
	"google.golang.org/grpc/mem"
)

var errShort = errors.New("short")

type item struct{ n int }

func vtprotoLost(short bool) (int, error) {
	v := pb.OrderFromVTPool() // want `v, taken from vtprotobuf at line 33, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v.Id)
	v.ReturnToVTPool()
	return x, nil
}

func vtprotoLate(short bool) (int, error) {
	v := pb.OrderFromVTPool()
	if short {
		v.ReturnToVTPool()
		return 0, errShort
	}
	v.ReturnToVTPool()
	return int(v.Id), nil // want `v is (used|read|passed|written).* after it was put in vtprotobuf`
}

func vtprotoRight(short bool) (int, error) {
	v := pb.OrderFromVTPool()
	if short {
		v.ReturnToVTPool()
		return 0, errShort
	}
	x := int(v.Id)
	v.ReturnToVTPool()
	return x, nil
}

func libp2pLost(n int, short bool) (int, error) {
	v := pool.Get(n) // want `v, taken from go-buffer-pool at line 64, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v[0])
	pool.Put(v)
	return x, nil
}

func libp2pLate(n int, short bool) (int, error) {
	v := pool.Get(n)
	if short {
		pool.Put(v)
		return 0, errShort
	}
	pool.Put(v)
	return int(v[0]), nil // want `v is (used|read|passed|written).* after it was put in go-buffer-pool`
}

func libp2pRight(n int, short bool) (int, error) {
	v := pool.Get(n)
	if short {
		pool.Put(v)
		return 0, errShort
	}
	x := int(v[0])
	pool.Put(v)
	return x, nil
}

func mallocLost(n int, short bool) (int, error) {
	v := mcache.Malloc(n) // want `v, taken from mcache at line 95, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v[0])
	mcache.Free(v)
	return x, nil
}

func mallocLate(n int, short bool) (int, error) {
	v := mcache.Malloc(n)
	if short {
		mcache.Free(v)
		return 0, errShort
	}
	mcache.Free(v)
	return int(v[0]), nil // want `v is (used|read|passed|written).* after it was put in mcache`
}

func mallocRight(n int, short bool) (int, error) {
	v := mcache.Malloc(n)
	if short {
		mcache.Free(v)
		return 0, errShort
	}
	x := int(v[0])
	mcache.Free(v)
	return x, nil
}

func websocketsLost(p websocket.BufferPool, short bool) (int, error) {
	v := p.Get() // want `v, taken from websocket\.BufferPool at line 126, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := v.(*item).n
	p.Put(v)
	return x, nil
}

func websocketsLate(p websocket.BufferPool, short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return v.(*item).n, nil // want `v is (used|read|passed|written).* after it was put in (p|websocket.BufferPool)`
}

func websocketsRight(p websocket.BufferPool, short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := v.(*item).n
	p.Put(v)
	return x, nil
}

func proxiedLost(p httputil.BufferPool, short bool) (int, error) {
	v := p.Get() // want `v, taken from httputil\.BufferPool at line 157, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v[0])
	p.Put(v)
	return x, nil
}

func proxiedLate(p httputil.BufferPool, short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return int(v[0]), nil // want `v is (used|read|passed|written).* after it was put in (p|httputil.BufferPool)`
}

func proxiedRight(p httputil.BufferPool, short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := int(v[0])
	p.Put(v)
	return x, nil
}

func proxyPoolLost(p *httppool.BufferPool, short bool) (int, error) {
	v := p.Get() // want `v, taken from httppool\.BufferPool at line 188, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v[0])
	p.Put(v)
	return x, nil
}

func proxyPoolLate(p *httppool.BufferPool, short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return int(v[0]), nil // want `v is (used|read|passed|written).* after it was put in (p|httppool.BufferPool)`
}

func proxyPoolRight(p *httppool.BufferPool, short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := int(v[0])
	p.Put(v)
	return x, nil
}

func bytesSharedLost(short bool) (int, error) {
	v := bytebufferpool.Get() // want `v, taken from bytebufferpool at line 219, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := len(v.B)
	bytebufferpool.Put(v)
	return x, nil
}

func bytesSharedLate(short bool) (int, error) {
	v := bytebufferpool.Get()
	if short {
		bytebufferpool.Put(v)
		return 0, errShort
	}
	bytebufferpool.Put(v)
	return len(v.B), nil // want `v is (used|read|passed|written).* after it was put in bytebufferpool`
}

func bytesSharedRight(short bool) (int, error) {
	v := bytebufferpool.Get()
	if short {
		bytebufferpool.Put(v)
		return 0, errShort
	}
	x := len(v.B)
	bytebufferpool.Put(v)
	return x, nil
}

var byteBuffers bytebufferpool.Pool

func bytesOwnLost(short bool) (int, error) {
	v := byteBuffers.Get() // want `v, taken from byteBuffers at line 252, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := len(v.B)
	byteBuffers.Put(v)
	return x, nil
}

func bytesOwnLate(short bool) (int, error) {
	v := byteBuffers.Get()
	if short {
		byteBuffers.Put(v)
		return 0, errShort
	}
	byteBuffers.Put(v)
	return len(v.B), nil // want `v is (used|read|passed|written).* after it was put in byteBuffers`
}

func bytesOwnRight(short bool) (int, error) {
	v := byteBuffers.Get()
	if short {
		byteBuffers.Put(v)
		return 0, errShort
	}
	x := len(v.B)
	byteBuffers.Put(v)
	return x, nil
}

var zapBuffers = buffer.NewPool()

func zappedLost(short bool) (int, error) {
	v := zapBuffers.Get() // want `v, taken from zap/buffer at line 285, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Free()
	return x, nil
}

func zappedLate(short bool) (int, error) {
	v := zapBuffers.Get()
	if short {
		v.Free()
		return 0, errShort
	}
	v.Free()
	return len(v.Bytes()), nil // want `v is (used|read|passed|written).* after it was put in .*`
}

func zappedRight(short bool) (int, error) {
	v := zapBuffers.Get()
	if short {
		v.Free()
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Free()
	return x, nil
}

func grpcPoolLost(p mem.BufferPool, n int, short bool) (int, error) {
	v := p.Get(n) // want `v, taken from mem\.BufferPool at line 316, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int((*v)[0])
	p.Put(v)
	return x, nil
}

func grpcPoolLate(p mem.BufferPool, n int, short bool) (int, error) {
	v := p.Get(n)
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return int((*v)[0]), nil // want `v is (used|read|passed|written).* after it was put in (p|mem.BufferPool)`
}

func grpcPoolRight(p mem.BufferPool, n int, short bool) (int, error) {
	v := p.Get(n)
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := int((*v)[0])
	p.Put(v)
	return x, nil
}

func queriesLost(short bool) (int, error) {
	v := fasthttp.AcquireRequest() // want `v, taken from fasthttp at line 347, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := len(v.Body())
	fasthttp.ReleaseRequest(v)
	return x, nil
}

func queriesLate(short bool) (int, error) {
	v := fasthttp.AcquireRequest()
	if short {
		fasthttp.ReleaseRequest(v)
		return 0, errShort
	}
	fasthttp.ReleaseRequest(v)
	return len(v.Body()), nil // want `v is (used|read|passed|written).* after it was put in fasthttp`
}

func queriesRight(short bool) (int, error) {
	v := fasthttp.AcquireRequest()
	if short {
		fasthttp.ReleaseRequest(v)
		return 0, errShort
	}
	x := len(v.Body())
	fasthttp.ReleaseRequest(v)
	return x, nil
}

func answersLost(short bool) (int, error) {
	v := fasthttp.AcquireResponse() // want `v, taken from fasthttp at line 378, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := len(v.Body())
	fasthttp.ReleaseResponse(v)
	return x, nil
}

func answersLate(short bool) (int, error) {
	v := fasthttp.AcquireResponse()
	if short {
		fasthttp.ReleaseResponse(v)
		return 0, errShort
	}
	fasthttp.ReleaseResponse(v)
	return len(v.Body()), nil // want `v is (used|read|passed|written).* after it was put in fasthttp`
}

func answersRight(short bool) (int, error) {
	v := fasthttp.AcquireResponse()
	if short {
		fasthttp.ReleaseResponse(v)
		return 0, errShort
	}
	x := len(v.Body())
	fasthttp.ReleaseResponse(v)
	return x, nil
}

var items spare.Pool[item]

func typedLost(short bool) (int, error) {
	v := items.Get() // want `v, taken from items at line 411, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := v.n
	items.Put(v)
	return x, nil
}

func typedLate(short bool) (int, error) {
	v := items.Get()
	if short {
		items.Put(v)
		return 0, errShort
	}
	items.Put(v)
	return v.n, nil // want `v is (used|read|passed|written).* after it was put in items`
}

func typedRight(short bool) (int, error) {
	v := items.Get()
	if short {
		items.Put(v)
		return 0, errShort
	}
	x := v.n
	items.Put(v)
	return x, nil
}

var runs spare.Slices[byte]

func slicedLost(n int, short bool) (int, error) {
	v := runs.Get(n)[:n] // want `v, taken from runs at line 444, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v[0])
	runs.Put(v)
	return x, nil
}

func slicedLate(n int, short bool) (int, error) {
	v := runs.Get(n)[:n]
	if short {
		runs.Put(v)
		return 0, errShort
	}
	runs.Put(v)
	return int(v[0]), nil // want `v is (used|read|passed|written).* after it was put in runs`
}

func slicedRight(n int, short bool) (int, error) {
	v := runs.Get(n)[:n]
	if short {
		runs.Put(v)
		return 0, errShort
	}
	x := int(v[0])
	runs.Put(v)
	return x, nil
}

func grownLost(b []byte, n int, short bool) (int, error) {
	v := runs.Grow(b, n)[:n] // want `v, taken from runs at line 475, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := int(v[0])
	runs.Put(v)
	return x, nil
}

func grownLate(b []byte, n int, short bool) (int, error) {
	v := runs.Grow(b, n)[:n]
	if short {
		runs.Put(v)
		return 0, errShort
	}
	runs.Put(v)
	return int(v[0]), nil // want `v is (used|read|passed|written).* after it was put in runs`
}

func grownRight(b []byte, n int, short bool) (int, error) {
	v := runs.Grow(b, n)[:n]
	if short {
		runs.Put(v)
		return 0, errShort
	}
	x := int(v[0])
	runs.Put(v)
	return x, nil
}

func bufferedLost(short bool) (int, error) {
	v := sbuf.Get() // want `v, taken from buffer\.Get at line 506, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Release()
	return x, nil
}

func bufferedLate(short bool) (int, error) {
	v := sbuf.Get()
	if short {
		v.Release()
		return 0, errShort
	}
	v.Release()
	return len(v.Bytes()), nil // want `v is (used|read|passed|written).* after it was put in buffer.Buffer`
}

func bufferedRight(short bool) (int, error) {
	v := sbuf.Get()
	if short {
		v.Release()
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Release()
	return x, nil
}

func decodedLost(p *jsonpool.Pool[item], short bool) (int, error) {
	v := p.Get() // want `v, taken from jsonpool\.Pool at line 537, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := v.V.n
	p.Put(v)
	return x, nil
}

func decodedLate(p *jsonpool.Pool[item], short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return v.V.n, nil // want `v is (used|read|passed|written).* after it was put in (p|jsonpool.Pool)`
}

func decodedRight(p *jsonpool.Pool[item], short bool) (int, error) {
	v := p.Get()
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := v.V.n
	p.Put(v)
	return x, nil
}

func decodedFromLost(p *jsonpool.Pool[item], r io.Reader, short bool) (int, error) {
	v, err := p.Decode(r) // want `v, taken from jsonpool\.Pool at line 568, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := v.V.n
	p.Put(v)
	return x, nil
}

func decodedFromLate(p *jsonpool.Pool[item], r io.Reader, short bool) (int, error) {
	v, err := p.Decode(r)
	if err != nil {
		return 0, err
	}
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return v.V.n, nil // want `v is (used|read|passed|written).* after it was put in (p|jsonpool.Pool)`
}

func decodedFromRight(p *jsonpool.Pool[item], r io.Reader, short bool) (int, error) {
	v, err := p.Decode(r)
	if err != nil {
		return 0, err
	}
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := v.V.n
	p.Put(v)
	return x, nil
}

func unmarshalledLost(p *jsonpool.Pool[item], data []byte, short bool) (int, error) {
	v, err := p.Unmarshal(data) // want `v, taken from jsonpool\.Pool at line 608, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := v.V.n
	p.Put(v)
	return x, nil
}

func unmarshalledLate(p *jsonpool.Pool[item], data []byte, short bool) (int, error) {
	v, err := p.Unmarshal(data)
	if err != nil {
		return 0, err
	}
	if short {
		p.Put(v)
		return 0, errShort
	}
	p.Put(v)
	return v.V.n, nil // want `v is (used|read|passed|written).* after it was put in (p|jsonpool.Pool)`
}

func unmarshalledRight(p *jsonpool.Pool[item], data []byte, short bool) (int, error) {
	v, err := p.Unmarshal(data)
	if err != nil {
		return 0, err
	}
	if short {
		p.Put(v)
		return 0, errShort
	}
	x := v.V.n
	p.Put(v)
	return x, nil
}

func filledLost(fill func([]byte) ([]byte, error), short bool) (int, error) {
	v, err := httppool.NewBody(fill) // want `v, taken from httppool at line 648, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Release()
	return x, nil
}

func filledLate(fill func([]byte) ([]byte, error), short bool) (int, error) {
	v, err := httppool.NewBody(fill)
	if err != nil {
		return 0, err
	}
	if short {
		v.Release()
		return 0, errShort
	}
	v.Release()
	return len(v.Bytes()), nil // want `v is (used|read|passed|written).* after it was put in httppool`
}

func filledRight(fill func([]byte) ([]byte, error), short bool) (int, error) {
	v, err := httppool.NewBody(fill)
	if err != nil {
		return 0, err
	}
	if short {
		v.Release()
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Release()
	return x, nil
}

func marshalledLost(of any, short bool) (int, error) {
	v, err := httppool.NewJSONBody(of) // want `v, taken from httppool at line 688, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Release()
	return x, nil
}

func marshalledLate(of any, short bool) (int, error) {
	v, err := httppool.NewJSONBody(of)
	if err != nil {
		return 0, err
	}
	if short {
		v.Release()
		return 0, errShort
	}
	v.Release()
	return len(v.Bytes()), nil // want `v is (used|read|passed|written).* after it was put in httppool`
}

func marshalledRight(of any, short bool) (int, error) {
	v, err := httppool.NewJSONBody(of)
	if err != nil {
		return 0, err
	}
	if short {
		v.Release()
		return 0, errShort
	}
	x := len(v.Bytes())
	v.Release()
	return x, nil
}

func gzipWriterLost(w io.Writer, p []byte, short bool) (int, error) {
	v := gzippool.Get(w) // want `v, taken from gzippool at line 728, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	gzippool.Put(v)
	return x, nil
}

func gzipWriterLate(w io.Writer, p []byte, short bool) (int, error) {
	v := gzippool.Get(w)
	if short {
		gzippool.Put(v)
		return 0, errShort
	}
	gzippool.Put(v)
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in gzippool`
}

func gzipWriterRight(w io.Writer, p []byte, short bool) (int, error) {
	v := gzippool.Get(w)
	if short {
		gzippool.Put(v)
		return 0, errShort
	}
	x := written(v.Write(p))
	gzippool.Put(v)
	return x, nil
}

func gzipLevelLost(w io.Writer, p []byte, short bool) (int, error) {
	v, err := gzippool.GetLevel(w, 1) // want `v, taken from gzippool at line 759, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	v.Close()
	return x, nil
}

func gzipLevelLate(w io.Writer, p []byte, short bool) (int, error) {
	v, err := gzippool.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	v.Close()
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in gzippool`
}

func gzipLevelRight(w io.Writer, p []byte, short bool) (int, error) {
	v, err := gzippool.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	x := written(v.Write(p))
	v.Close()
	return x, nil
}

func gzipReaderLost(r io.Reader, p []byte, short bool) (int, error) {
	v, err := gzippool.GetReader(r, 1<<20) // want `v, taken from gzippool at line 799, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Read(p))
	gzippool.PutReader(v)
	return x, nil
}

func gzipReaderLate(r io.Reader, p []byte, short bool) (int, error) {
	v, err := gzippool.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		gzippool.PutReader(v)
		return 0, errShort
	}
	gzippool.PutReader(v)
	return written(v.Read(p)), nil // want `v is (used|read|passed|written).* after it was put in gzippool`
}

func gzipReaderRight(r io.Reader, p []byte, short bool) (int, error) {
	v, err := gzippool.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		gzippool.PutReader(v)
		return 0, errShort
	}
	x := written(v.Read(p))
	gzippool.PutReader(v)
	return x, nil
}

func gzipOwnWriterLost(own *gzippool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v := own.Get(w) // want `v, taken from gzippool at line 839, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	gzippool.Put(v)
	return x, nil
}

func gzipOwnWriterLate(own *gzippool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v := own.Get(w)
	if short {
		gzippool.Put(v)
		return 0, errShort
	}
	gzippool.Put(v)
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in gzippool`
}

func gzipOwnWriterRight(own *gzippool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v := own.Get(w)
	if short {
		gzippool.Put(v)
		return 0, errShort
	}
	x := written(v.Write(p))
	gzippool.Put(v)
	return x, nil
}

func gzipOwnLevelLost(own *gzippool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v, err := own.GetLevel(w, 1) // want `v, taken from gzippool at line 870, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	gzippool.Put(v)
	return x, nil
}

func gzipOwnLevelLate(own *gzippool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v, err := own.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		gzippool.Put(v)
		return 0, errShort
	}
	gzippool.Put(v)
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in gzippool`
}

func gzipOwnLevelRight(own *gzippool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v, err := own.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		gzippool.Put(v)
		return 0, errShort
	}
	x := written(v.Write(p))
	gzippool.Put(v)
	return x, nil
}

func gzipOwnReaderLost(own *gzippool.Pool, r io.Reader, p []byte, short bool) (int, error) {
	v, err := own.GetReader(r, 1<<20) // want `v, taken from gzippool at line 910, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Read(p))
	v.Close()
	return x, nil
}

func gzipOwnReaderLate(own *gzippool.Pool, r io.Reader, p []byte, short bool) (int, error) {
	v, err := own.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	v.Close()
	return written(v.Read(p)), nil // want `v is (used|read|passed|written).* after it was put in gzippool`
}

func gzipOwnReaderRight(own *gzippool.Pool, r io.Reader, p []byte, short bool) (int, error) {
	v, err := own.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	x := written(v.Read(p))
	v.Close()
	return x, nil
}

func zstdWriterLost(w io.Writer, p []byte, short bool) (int, error) {
	v := zstdpool.Get(w) // want `v, taken from zstdpool at line 950, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	zstdpool.Put(v)
	return x, nil
}

func zstdWriterLate(w io.Writer, p []byte, short bool) (int, error) {
	v := zstdpool.Get(w)
	if short {
		zstdpool.Put(v)
		return 0, errShort
	}
	zstdpool.Put(v)
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in zstdpool`
}

func zstdWriterRight(w io.Writer, p []byte, short bool) (int, error) {
	v := zstdpool.Get(w)
	if short {
		zstdpool.Put(v)
		return 0, errShort
	}
	x := written(v.Write(p))
	zstdpool.Put(v)
	return x, nil
}

func zstdLevelLost(w io.Writer, p []byte, short bool) (int, error) {
	v, err := zstdpool.GetLevel(w, 1) // want `v, taken from zstdpool at line 981, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	v.Close()
	return x, nil
}

func zstdLevelLate(w io.Writer, p []byte, short bool) (int, error) {
	v, err := zstdpool.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	v.Close()
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in zstdpool`
}

func zstdLevelRight(w io.Writer, p []byte, short bool) (int, error) {
	v, err := zstdpool.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	x := written(v.Write(p))
	v.Close()
	return x, nil
}

func zstdReaderLost(r io.Reader, p []byte, short bool) (int, error) {
	v, err := zstdpool.GetReader(r, 1<<20) // want `v, taken from zstdpool at line 1021, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Read(p))
	zstdpool.PutReader(v)
	return x, nil
}

func zstdReaderLate(r io.Reader, p []byte, short bool) (int, error) {
	v, err := zstdpool.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		zstdpool.PutReader(v)
		return 0, errShort
	}
	zstdpool.PutReader(v)
	return written(v.Read(p)), nil // want `v is (used|read|passed|written).* after it was put in zstdpool`
}

func zstdReaderRight(r io.Reader, p []byte, short bool) (int, error) {
	v, err := zstdpool.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		zstdpool.PutReader(v)
		return 0, errShort
	}
	x := written(v.Read(p))
	zstdpool.PutReader(v)
	return x, nil
}

func zstdOwnWriterLost(own *zstdpool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v := own.Get(w) // want `v, taken from zstdpool at line 1061, is not put back on the path that ends here`
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	zstdpool.Put(v)
	return x, nil
}

func zstdOwnWriterLate(own *zstdpool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v := own.Get(w)
	if short {
		zstdpool.Put(v)
		return 0, errShort
	}
	zstdpool.Put(v)
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in zstdpool`
}

func zstdOwnWriterRight(own *zstdpool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v := own.Get(w)
	if short {
		zstdpool.Put(v)
		return 0, errShort
	}
	x := written(v.Write(p))
	zstdpool.Put(v)
	return x, nil
}

func zstdOwnLevelLost(own *zstdpool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v, err := own.GetLevel(w, 1) // want `v, taken from zstdpool at line 1092, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Write(p))
	zstdpool.Put(v)
	return x, nil
}

func zstdOwnLevelLate(own *zstdpool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v, err := own.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		zstdpool.Put(v)
		return 0, errShort
	}
	zstdpool.Put(v)
	return written(v.Write(p)), nil // want `v is (used|read|passed|written).* after it was put in zstdpool`
}

func zstdOwnLevelRight(own *zstdpool.Pool, w io.Writer, p []byte, short bool) (int, error) {
	v, err := own.GetLevel(w, 1)
	if err != nil {
		return 0, err
	}
	if short {
		zstdpool.Put(v)
		return 0, errShort
	}
	x := written(v.Write(p))
	zstdpool.Put(v)
	return x, nil
}

func zstdOwnReaderLost(own *zstdpool.Pool, r io.Reader, p []byte, short bool) (int, error) {
	v, err := own.GetReader(r, 1<<20) // want `v, taken from zstdpool at line 1132, is not put back on the path that ends here`
	if err != nil {
		return 0, err
	}
	if short {
		return 0, errShort
	}
	x := written(v.Read(p))
	v.Close()
	return x, nil
}

func zstdOwnReaderLate(own *zstdpool.Pool, r io.Reader, p []byte, short bool) (int, error) {
	v, err := own.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	v.Close()
	return written(v.Read(p)), nil // want `v is (used|read|passed|written).* after it was put in zstdpool`
}

func zstdOwnReaderRight(own *zstdpool.Pool, r io.Reader, p []byte, short bool) (int, error) {
	v, err := own.GetReader(r, 1<<20)
	if err != nil {
		return 0, err
	}
	if short {
		v.Close()
		return 0, errShort
	}
	x := written(v.Read(p))
	v.Close()
	return x, nil
}

func written(n int, err error) int { return n }

// A slice of counted buffers, each of which may have other references.
func counted(s mem.BufferSlice) []byte {
	b := s.Materialize()
	s.Free()
	return b
}

func countedTwice(s mem.BufferSlice) {
	s.Free()
	s.Free()
}

func vtprotoTwice() {
	v := pb.OrderFromVTPool()
	defer v.ReturnToVTPool() // want `v is put in vtprotobuf a second time`
	v.ReturnToVTPool()
}

func vtprotoItems(data []byte) ([]string, error) {
	v := pb.OrderFromVTPool()
	defer v.ReturnToVTPool()
	if err := v.UnmarshalVT(data); err != nil {
		return nil, err
	}
	return v.Items, nil // want `memory of v is returned while the deferred call puts it in vtprotobuf`
}

func libp2pReturned(n int) []byte {
	b := pool.Get(n)
	defer pool.Put(b)
	return b // want `b is returned while the deferred call puts it in go-buffer-pool`
}

func libp2pClone(n int) []byte {
	b := pool.Get(n)
	defer pool.Put(b)
	return bytes.Clone(b)
}
