package dropped

import (
	"bufio"
	"compress/flate"
	"errors"
	"io"
	"net/http"
	"sync"
)

type tally struct{ n [8]int }

var tallies = sync.Pool{New: func() any { return new(tally) }}

var byName sync.Map

func tallyOf(name string) *tally {
	v, _ := byName.LoadOrStore(name, tallies.Get()) // want `the value taken from tallies is not put back on the path that ends here`
	return v.(*tally)
}

func tallyOf2(name string) *tally {
	t := tallies.Get().(*tally) // want `t, taken from tallies at line 24, is not put back on the path that ends here`
	if v, there := byName.LoadOrStore(name, t); there {
		return v.(*tally)
	}
	return t
}

func tallyOf3(name string) *tally {
	t := tallies.Get().(*tally)
	v, there := byName.LoadOrStore(name, t)
	if there {
		tallies.Put(t)
	}
	return v.(*tally)
}

func forget(name string) {
	if v, ok := byName.LoadAndDelete(name); ok {
		tallies.Put(v)
	}
}

// Two pools, the one's value reads from the other's: the second is put with the first in it.
var (
	lineReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}
	inflaters   = sync.Pool{New: func() any { return flate.NewReader(nil) }}
)

type inflated struct {
	lines *bufio.Reader
	fr    io.ReadCloser
}

func newInflated(r io.Reader) (*inflated, error) {
	b := lineReaders.Get().(*bufio.Reader)
	b.Reset(r)
	f := inflaters.Get().(io.ReadCloser)
	if err := f.(flate.Resetter).Reset(b, nil); err != nil {
		lineReaders.Put(b)
		inflaters.Put(f)
		return nil, err
	}
	return &inflated{b, f}, nil
}

var scanners = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 16) }}

func newTwice(r io.Reader) (*bufio.Reader, *bufio.Reader, error) {
	in := lineReaders.Get().(*bufio.Reader) // want `in, taken from lineReaders at line 72, is not put back on the path that ends here`
	in.Reset(r)
	out := scanners.Get().(*bufio.Reader)
	out.Reset(in)
	if _, err := out.Peek(1); err != nil {
		scanners.Put(out)
		return nil, nil, err
	}
	return in, out, nil
}

func newTwiceRight(r io.Reader) (*bufio.Reader, *bufio.Reader, error) {
	in := lineReaders.Get().(*bufio.Reader)
	in.Reset(r)
	out := scanners.Get().(*bufio.Reader)
	out.Reset(in)
	if _, err := out.Peek(1); err != nil {
		scanners.Put(out)
		lineReaders.Put(in)
		return nil, nil, err
	}
	return in, out, nil
}

// A body whose Close puts it, and says by a nil field that it did.
type piped struct {
	from io.Closer
	buf  []byte
}

var pipes sync.Pool

func newPiped(from io.Closer) *piped {
	p, ok := pipes.Get().(*piped)
	if !ok {
		p = &piped{buf: make([]byte, 64)}
	}
	p.from = from
	return p
}

func (p *piped) Read(b []byte) (int, error) {
	if p.from == nil {
		return 0, errors.New("closed")
	}
	return copy(b, p.buf), io.EOF
}

func (p *piped) Close() error {
	from := p.from
	if from == nil {
		return nil
	}
	p.from = nil
	pipes.Put(p)
	return from.Close()
}

func wrapped(resp *http.Response) io.ReadCloser {
	if resp.ContentLength == 0 {
		return resp.Body
	}
	return newPiped(resp.Body)
}

func get(resp *http.Response, w io.Writer) error {
	defer resp.Body.Close()
	body := wrapped(resp)
	defer body.Close()
	_, err := io.Copy(w, body)
	return err
}

func hidden(resp *http.Response) io.ReadCloser {
	p := newPiped(resp.Body)
	return io.NopCloser(p) // want `io\.NopCloser hides the Close of p, a \*piped, which puts it`
}

func hiddenOnce(resp *http.Response, use func(io.ReadCloser) error) error {
	p := newPiped(resp.Body)
	defer p.Close()
	return use(io.NopCloser(p))
}

// What Swap is given is in the map, what it gives was there.
func replaceIn(m *sync.Map, name string) {
	t := tallies.Get().(*tally)
	t.n[0] = 1
	if old, there := m.Swap(name, t); there {
		tallies.Put(old)
	}
}

func replaceInPlain(m *sync.Map, name string) {
	t := tallies.Get().(*tally)
	if old, _ := m.Swap(name, t); old != nil {
		tallies.Put(old.(*tally))
	}
}

func replaceAndUse(m *sync.Map, name string) int {
	if old, there := m.Swap(name, tallies.Get()); there {
		tallies.Put(old)
		return old.(*tally).n[0] // want `used|read`
	}
	return 0
}

func replaceWith(m *sync.Map, name string) {
	t := tallies.Get().(*tally)
	m.Swap(name, t) // want `keeps memory of t`
	tallies.Put(t)
}

// CompareAndSwap keeps what it is given, or not.
func setIf(m *sync.Map, name string, old *tally) bool {
	t := tallies.Get().(*tally)
	if m.CompareAndSwap(name, old, t) {
		return true
	}
	tallies.Put(t)
	return false
}

func setIfOnly(m *sync.Map, name string, old *tally) bool {
	t := tallies.Get().(*tally) // want `t, taken from tallies at line 197, is not put back on the path that ends here`
	return m.CompareAndSwap(name, old, t)
}

func setIfAnyway(m *sync.Map, name string, old *tally) {
	t := tallies.Get().(*tally)
	m.CompareAndSwap(name, old, t) // want `keeps memory of t`
	tallies.Put(t)
}
