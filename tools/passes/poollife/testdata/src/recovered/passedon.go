package recovered

import (
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// The panic of a goroutine goes on in the function that started it.

var drafts = sync.Pool{New: func() any { return new(strings.Reader) }}

func parseWithin(text string, d time.Duration, parse func(io.Reader) error) error {
	r := drafts.Get().(*strings.Reader) // want `not put back where the panic of a goroutine is passed on`
	r.Reset(text)
	failed := make(chan any, 1)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				failed <- x
			}
		}()
		done <- parse(r)
	}()
	select {
	case x := <-failed:
		panic(x)
	case err := <-done:
		r.Reset("")
		drafts.Put(r)
		return err
	}
}

func parseWithinRight(text string, d time.Duration, parse func(io.Reader) error) error {
	r := drafts.Get().(*strings.Reader)
	r.Reset(text)
	failed := make(chan any, 1)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				failed <- x
			}
		}()
		done <- parse(r)
	}()
	select {
	case x := <-failed:
		r.Reset("")
		drafts.Put(r)
		panic(x)
	case err := <-done:
		r.Reset("")
		drafts.Put(r)
		return err
	}
}

func parseDeferred(text string, parse func(io.Reader) error) error {
	r := drafts.Get().(*strings.Reader)
	defer drafts.Put(r)
	r.Reset(text)
	failed := make(chan any, 1)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				failed <- x
			}
		}()
		done <- parse(r)
	}()
	select {
	case x := <-failed:
		panic(x)
	case err := <-done:
		return err
	}
}

// It may be with the goroutine where the time is over: not all ways put it.
func parseOrLeave(text string, d time.Duration, parse func(io.Reader) error) error {
	r := drafts.Get().(*strings.Reader)
	r.Reset(text)
	failed := make(chan any, 1)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				failed <- x
			}
		}()
		done <- parse(r)
	}()
	select {
	case x := <-failed:
		panic(x)
	case err := <-done:
		r.Reset("")
		drafts.Put(r)
		return err
	case <-time.After(d):
		return errors.New("too late")
	}
}

// A panic of its own ends the program, as a rule.
func parseHere(text string, parse func(io.Reader) error) {
	r := drafts.Get().(*strings.Reader)
	r.Reset(text)
	if err := parse(r); err != nil {
		panic(err)
	}
	r.Reset("")
	drafts.Put(r)
}
