package lostvalues

import (
	"bufio"
	"errors"
	"io"
	"sync"
)

// Code behind an interface, or a function value, that the function puts after on one
// path does not put.

type query struct {
	id   int
	args []byte
	rows []byte
	kept bool
}

var queries = sync.Pool{New: func() any { return new(query) }}

type wire interface {
	Exchange(*query) error
	Offer(*query) bool
}

func askLost(w wire, args []byte) ([]byte, error) {
	q := queries.Get().(*query) // want `q, taken from queries at line 28, is not put back on the path that ends here`
	q.args = append(q.args[:0], args...)
	if err := w.Exchange(q); err != nil {
		return nil, err
	}
	rows := append([]byte(nil), q.rows...)
	queries.Put(q)
	return rows, nil
}

func askPut(w wire, args []byte) ([]byte, error) {
	q := queries.Get().(*query)
	q.args = append(q.args[:0], args...)
	if err := w.Exchange(q); err != nil {
		queries.Put(q)
		return nil, err
	}
	rows := append([]byte(nil), q.rows...)
	queries.Put(q)
	return rows, nil
}

func eachLost(list []int, do func(*query) error) error {
	var err error
	for _, id := range list {
		q := queries.Get().(*query) // want `q, taken from queries at line 53, is not put back`
		q.id = id
		if err = do(q); err == nil {
			queries.Put(q)
			return nil
		}
	}
	return err
}

// The error may be that of a later call.
func laterLost(w io.Writer, do func(*query) error) error {
	q := queries.Get().(*query) // want `q, taken from queries at line 65, is not put back on the path that ends here`
	if err := do(q); err != nil {
		queries.Put(q)
		return err
	}
	if _, err := w.Write(q.rows); err != nil {
		return err
	}
	queries.Put(q)
	return nil
}

// What the code says, or leaves in the value, may tell who has it.
func offered(w wire) {
	q := queries.Get().(*query)
	if w.Offer(q) {
		return
	}
	queries.Put(q)
}

func leftInIt(w wire) error {
	q := queries.Get().(*query)
	if err := w.Exchange(q); err != nil {
		if q.kept {
			return err
		}
		queries.Put(q)
		return err
	}
	queries.Put(q)
	return nil
}

// Where the function itself puts it nowhere after the call, the code may.
func submitted(w wire, id int) error {
	q := queries.Get().(*query)
	if id < 0 {
		queries.Put(q)
		return errors.New("negative")
	}
	return w.Exchange(q)
}

// That a stream was read to its end decides nothing about the reader.
func lineLost(r io.Reader) (string, error) {
	b := readers.Get().(*bufio.Reader) // want `b, taken from readers at line 111, is not put back on the path that ends here`
	b.Reset(r)
	s, err := b.ReadString('\n')
	if err == io.EOF {
		readers.Put(b)
	}
	return s, err
}

func linePut(r io.Reader) (string, error) {
	b := readers.Get().(*bufio.Reader)
	b.Reset(r)
	s, err := b.ReadString('\n')
	readers.Put(b)
	return s, err
}

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}
