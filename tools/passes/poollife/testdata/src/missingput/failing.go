package missingput

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"unsafe"
)

// A codec that failed is in an unknown state: it is dropped on purpose.
type decoder struct {
	r   io.Reader
	sub part
	err error
}

type part struct{ n int }

func (p *part) init(n int) error {
	if n < 0 {
		return errors.New("negative")
	}
	p.n = n
	return nil
}

func (d *decoder) Reset(r io.Reader) error {
	d.r = r
	var head [4]byte
	_, err := io.ReadFull(r, head[:])
	return err
}

func (d *decoder) decode() (int, error) {
	var b [1]byte
	_, err := d.r.Read(b[:])
	return int(b[0]), err
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func acquireDecoder(r io.Reader) (*decoder, error) {
	d := decoders.Get().(*decoder)
	if err := d.Reset(r); err != nil {
		return nil, err
	}
	return d, nil
}

func acquirePart(n int) (*decoder, error) {
	d := decoders.Get().(*decoder)
	if err := d.sub.init(n); err != nil {
		return nil, err
	}
	return d, nil
}

func decodeOne(r io.Reader) (int, error) {
	d, err := acquireDecoder(r)
	if err != nil {
		return 0, err
	}
	n, err := d.decode()
	if err != nil {
		return 0, err
	}
	decoders.Put(d)
	return n, nil
}

// Another value's error says nothing of this one.
func decodeOther(r io.Reader, w io.Writer) error {
	d := decoders.Get().(*decoder) // want `d, taken from decoders at line 74, is not put back on the path that ends here`
	d.r = r
	if _, err := w.Write(nil); err != nil {
		return err
	}
	decoders.Put(d)
	return nil
}

// A buffer is as good as before when what fills it fails.
func fill(r io.Reader, use func([]byte)) error {
	b := buffers.Get().(*bytes.Buffer) // want `b, taken from buffers at line 85, is not put back on the path that ends here`
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	use(b.Bytes())
	buffers.Put(b)
	return nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The interface is taken apart: what comes out is put.
type words struct{ typ, ptr unsafe.Pointer }

func pointer(x any) unsafe.Pointer { return (*words)(unsafe.Pointer(&x)).ptr }

func punned(pool *sync.Pool, use func(unsafe.Pointer)) {
	s := pointer(pool.Get())
	if s == nil {
		s = unsafe.Pointer(new([64]byte))
	}
	use(s)
	pool.Put(s)
}

// A task that a queue's worker puts, or the queue itself.
type task struct {
	done chan bool
	buf  []byte
}

var tasks = sync.Pool{New: func() any { return &task{done: make(chan bool, 1)} }}

type taskQueue struct {
	tasks chan *task
	err   error
	async bool
}

func (q *taskQueue) release(t *task) {
	*t = task{done: t.done}
	tasks.Put(t)
}

func (q *taskQueue) run() {
	for t := range q.tasks {
		<-t.done
		q.release(t)
	}
}

func (q *taskQueue) add(t *task) { q.tasks <- t }

func (q *taskQueue) addSync(t *task) error {
	<-t.done
	if q.err == nil {
		q.err = errors.New("x")
	}
	q.release(t)
	return q.err
}

func (q *taskQueue) schedule(b []byte) (err error) {
	t := tasks.Get().(*task)
	t.done <- true
	t.buf = b
	if q.async {
		q.add(t)
	} else {
		err = q.addSync(t)
	}
	return err
}

// Nodes of a linked list that a field leads to.
type node struct {
	buf  []byte
	next *node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

type list struct{ head, write *node }

type lister struct{ out *list }

func newNode(n int) *node {
	x := nodes.Get().(*node)
	x.buf = make([]byte, n)
	return x
}

func (c *lister) append(b []byte) {
	x := newNode(0)
	x.buf = b
	c.out.write.next = x
	c.out.write = c.out.write.next
}

func (c *lister) flush() {
	for x := c.out.head; x != nil; {
		next := x.next
		nodes.Put(x)
		x = next
	}
}

// Nothing is put when the session could not be cleaned: somebody decided.
func (d *decoder) clean() error { return d.err }

func decided(check func(int) error, s []int) error {
	d := decoders.Get().(*decoder)
	err := check(len(s))
	if err == nil && d.clean() == nil {
		d.sub.n = len(s)
		decoders.Put(d)
	}
	return err
}

// There is something to take, or the loop would not have come to it.
type heap []int

func (h *heap) Len() int { return len(*h) }

type taken struct{ list []int }

func (h *heap) next(list []int) taken {
	if h.Len() == 0 {
		return taken{}
	}
	return taken{append(list, (*h)[0])}
}

func takeAll(h heap, out chan taken) {
	pool := sync.Pool{New: func() any { return make([]int, 0, 8) }}
	for h.Len() > 0 {
		out <- h.next(pool.Get().([]int))
	}
}

// The second operand is a value, not a test.
func joined(a, b bool, use func(bool)) {
	d := decoders.Get().(*decoder)
	use(a && b)
	if c := a && b || use == nil; c {
		use(c)
	}
	decoders.Put(d)
}

// Each value has the function that puts it back.
type redeemable struct {
	inner  *decoder
	redeem func()
}

var redeemables = newRedeemables()

func newRedeemables() *sync.Pool {
	p := new(sync.Pool)
	p.New = func() any {
		r := &redeemable{inner: new(decoder)}
		r.redeem = func() { p.Put(r) }
		return r
	}
	return p
}

func borrow() (*decoder, func()) {
	r := redeemables.Get().(*redeemable)
	return r.inner, r.redeem
}

// A method of the package that fails for reasons of its own leaves the value as good as
// it was.
type lexer struct {
	in  string
	pos int
}

var lexers = sync.Pool{New: func() any { return new(lexer) }}

func newLexer(in string) *lexer {
	l := lexers.Get().(*lexer)
	l.in, l.pos = in, 0
	return l
}

func (l *lexer) next() (byte, error) {
	if l.pos == len(l.in) {
		return 0, io.ErrUnexpectedEOF
	}
	l.pos++
	return l.in[l.pos-1], nil
}

func firstLost(in string) (byte, error) {
	l := newLexer(in) // want `l, taken from lexers at line 284, is not put back on the path that ends here`
	c, err := l.next()
	if err != nil {
		return 0, err
	}
	lexers.Put(l)
	return c, nil
}

func firstPut(in string) (byte, error) {
	l := newLexer(in)
	c, err := l.next()
	lexers.Put(l)
	return c, err
}
