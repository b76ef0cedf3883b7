package leftover

import "sync"

// Wrong: what an option sets, nothing takes back.
type printer struct {
	n      int
	indent string
}

type printOption func(*printer)

func withIndent(s string) printOption { return func(p *printer) { p.indent = s } }

var printers = sync.Pool{New: func() any { return new(printer) }}

func print1(s string, opts ...printOption) (string, int) {
	p := printers.Get().(*printer)
	defer printers.Put(p) // want `p, the pooled printer, goes back with indent, which is set in use \(line 13\) and never back`
	p.n = len(s)
	for _, o := range opts {
		o(p)
	}
	if p.indent != "" {
		s = p.indent + s
	}
	return s, p.n
}

type printerRight struct {
	n      int
	indent string
}

type printRightOption func(*printerRight)

func withIndentRight(s string) printRightOption { return func(p *printerRight) { p.indent = s } }

var printersRight = sync.Pool{New: func() any { return new(printerRight) }}

func print2(s string, opts ...printRightOption) (string, int) {
	p := printersRight.Get().(*printerRight)
	defer printersRight.Put(p)
	p.n, p.indent = len(s), ""
	for _, o := range opts {
		o(p)
	}
	if p.indent != "" {
		s = p.indent + s
	}
	return s, p.n
}

// Wrong: the same where the wrapper gives an error beside the value.
type job struct {
	from, to int
	dry      bool
}

func (j *job) reset() { j.from, j.to = 0, 0 } // want `reset resets fields of the pooled job but not dry`

var jobs = sync.Pool{New: func() any { return new(job) }}

type jobOption func(*job)

func dry() jobOption { return func(j *job) { j.dry = true } }

func newJob(from, to int, opts []jobOption) (*job, error) {
	if to < from {
		return nil, errBackwards
	}
	j := jobs.Get().(*job)
	j.from, j.to = from, to
	for _, o := range opts {
		o(j)
	}
	return j, nil
}

func run(from, to int, step func(int), opts ...jobOption) error {
	j, err := newJob(from, to, opts)
	if err != nil {
		return err
	}
	for n := j.from; n < j.to; n++ {
		if !j.dry {
			step(n)
		}
	}
	j.reset()
	jobs.Put(j)
	return nil
}

type backwards struct{}

func (backwards) Error() string { return "backwards" }

var errBackwards error = backwards{}

// Wrong: what a generic wrapper resets is what the type's method resets.
type resetter interface{ Reset() }

type boxes[T any, P interface {
	*T
	resetter
}] struct{ p sync.Pool }

func (b *boxes[T, P]) take() P {
	if v, ok := b.p.Get().(P); ok {
		return v
	}
	return new(T)
}

func (b *boxes[T, P]) give(v P) {
	v.Reset()
	b.p.Put(v)
}

type envelope struct {
	size   int
	urgent bool
}

type letter struct {
	envelope
	lines int
}

func (e *envelope) Reset() { e.size = 0 } // want `field urgent of the pooled letter is set in use`

func (l *letter) Reset() {
	l.envelope.Reset()
	l.lines = 0
}

var letters boxes[letter, *letter]

func (l *letter) read(s string) bool {
	switch s {
	case "":
		return false
	case "!":
		l.urgent = true
	}
	l.size += len(s)
	return true
}

func post(s string) bool {
	l := letters.take()
	defer letters.give(l)
	if !l.read(s) {
		return false
	}
	return l.urgent
}

type envelopeRight struct {
	size   int
	urgent bool
}

type letterRight struct {
	envelopeRight
	lines int
}

func (e *envelopeRight) Reset() { e.size, e.urgent = 0, false }

func (l *letterRight) Reset() {
	l.envelopeRight.Reset()
	l.lines = 0
}

var lettersRight boxes[letterRight, *letterRight]

func (l *letterRight) read(s string) bool {
	switch s {
	case "":
		return false
	case "!":
		l.urgent = true
	}
	l.size += len(s)
	return true
}

func postRight(s string) bool {
	l := lettersRight.take()
	defer lettersRight.give(l)
	if !l.read(s) {
		return false
	}
	return l.urgent
}
