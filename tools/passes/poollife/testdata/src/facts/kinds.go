package facts

import (
	"errors"

	"facts/lib"
)

var errFull = errors.New("full")

func red() int {
	r := lib.NewRed()
	n := len(r.Data)
	lib.Free(r)
	return n
}

func redAfter() int {
	r := lib.NewRed()
	lib.Free(r)
	return len(r.Data) // want `r is read after it was put in reds`
}

// Free does not know the kind, and puts nothing: other functions of this package do.
func blue(f func(*lib.Blue)) {
	b := lib.NewBlue()
	f(b)
	lib.Free(b)
}

// Which of its fields a union has the value in depends on the kind.
type proposer struct{ entries chan *lib.Entry }

func (p *proposer) entry(v any, n int) *lib.Entry {
	e := lib.NewEntry()
	e.Union.Set(v)
	e.N = n
	return e
}

func (p *proposer) propose(v any) (err error) {
	e := p.entry(v, 1)
	select {
	case p.entries <- e:
		return nil
	default:
		err = errFull
	}
	if err != nil {
		e.Release()
	}
	return err
}

func (p *proposer) run() {
	for e := range p.entries {
		println(e.N)
		e.Release()
	}
}

func (p *proposer) proposeRed(data []byte) {
	r := lib.NewRed()
	r.Data = append(r.Data[:0], data...)
	p.propose(r)
}

func sizes() int {
	var u lib.Union
	r := lib.NewRed() // want `not put back on any path`
	return u.Size(r)
}
