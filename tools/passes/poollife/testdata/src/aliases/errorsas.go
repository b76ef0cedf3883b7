package aliases

import (
	"errors"
	"fmt"
	"sync"
)

type ticket struct{ names []string }

var tickets = sync.Pool{New: func() any { return new(ticket) }}

type lateError struct{ names []string }

func (e *lateError) Error() string { return fmt.Sprint("late: ", e.names) }

type wrapError struct{ err error }

func (e *wrapError) Error() string { return e.err.Error() }
func (e *wrapError) Unwrap() error { return e.err }

func (t *ticket) check(n int) error {
	switch {
	case n == 0:
		return errors.New("none")
	case n < 10:
		return &lateError{t.names}
	}
	return nil
}

// What is returned is none of the errors that have something of the ticket.
func admit(n int) error {
	t := tickets.Get().(*ticket)
	defer tickets.Put(t)
	var late *lateError
	if err := t.check(n); err != nil && !errors.As(err, &late) {
		return fmt.Errorf("ticket: %w", err)
	}
	if late != nil {
		return fmt.Errorf("ticket: %d names", len(late.names))
	}
	return nil
}

func admitLate(n int) error {
	t := tickets.Get().(*ticket)
	var late *lateError
	if err := t.check(n); err != nil && !errors.As(err, &late) {
		tickets.Put(t)
		return err
	}
	tickets.Put(t)
	if late != nil {
		return fmt.Errorf("ticket: %s", late.names[0]) // want `t is read after it was put in tickets`
	}
	return nil
}

// One that wraps another may lead to it.
func admitWrapped(n int) error {
	t := tickets.Get().(*ticket)
	defer tickets.Put(t)
	err := t.check(n)
	if err == nil {
		return nil
	}
	var late *lateError
	if wrapped := error(&wrapError{err}); errors.As(wrapped, &late) {
		return nil
	}
	return errors.New("other")
}
