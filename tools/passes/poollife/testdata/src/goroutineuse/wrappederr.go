// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

type solver struct{ rows []float64 }

func (s *solver) solve() float64 { return s.rows[0] }

var solvers = sync.Pool{New: func() any { return &solver{rows: make([]float64, 64)} }}

var (
	errLate  = errors.New("solver is late")
	errEmpty = errors.New("nothing to solve")
)

func solveWithin(s *solver, d time.Duration) (float64, error) {
	if len(s.rows) == 0 {
		return 0, fmt.Errorf("solve: %w", errEmpty)
	}
	done := make(chan float64, 1)
	go func() { done <- s.solve() }()
	select {
	case x := <-done:
		return x, nil
	case <-time.After(d):
		return 0, fmt.Errorf("after %v of %*d: %s", d, 4, len(s.rows), errLate)
	}
}

// Text is all that the error has of the other one.
func solveFormatted(d time.Duration) (float64, error) {
	s := solvers.Get().(*solver)
	late := false
	defer func() {
		if !late {
			solvers.Put(s) // want `s is put in solvers while the goroutine started at line \d+ may still use it`
		}
	}()
	x, err := solveWithin(s, d)
	late = errors.Is(err, errLate)
	return x, err
}

func solveOrLate(s *solver, d time.Duration) (float64, error) {
	if len(s.rows) == 0 {
		return 0, fmt.Errorf("solve: %w", errEmpty)
	}
	done := make(chan float64, 1)
	go func() { done <- s.solve() }()
	select {
	case x := <-done:
		return x, nil
	case <-time.After(d):
		return 0, fmt.Errorf("100%% of %-5v: %d rows: %w", d, len(s.rows), errLate)
	}
}

// Who is late keeps the solver.
func solveDeferred(d time.Duration) (float64, error) {
	s := solvers.Get().(*solver)
	late := false
	defer func() {
		if !late {
			solvers.Put(s)
		}
	}()
	x, err := solveOrLate(s, d)
	late = errors.Is(err, errLate)
	return x, err
}

// The wrong one is asked for.
func solveWrong(d time.Duration) (float64, error) {
	s := solvers.Get().(*solver)
	empty := false
	defer func() {
		if !empty {
			solvers.Put(s) // want `s is put in solvers while the goroutine started at line \d+ may still use it`
		}
	}()
	x, err := solveOrLate(s, d)
	empty = errors.Is(err, errEmpty)
	return x, err
}

// One that is wrapped once more is still the same.
func solveNamed(s *solver, name string, d time.Duration) (float64, error) {
	x, err := solveOrLate(s, d)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}

func solveTwice(name string, d time.Duration) (float64, error) {
	s := solvers.Get().(*solver)
	x, err := solveNamed(s, name, d)
	if errors.Is(err, errLate) {
		return 0, err
	}
	solvers.Put(s)
	return x, err
}

func solveTwiceWrong(name string, d time.Duration) (x float64, err error) {
	s := solvers.Get().(*solver)
	keep := false
	defer func() {
		if !keep {
			solvers.Put(s) // want `s is put in solvers while the goroutine started at line \d+ may still use it`
		}
	}()
	x, err = solveNamed(s, name, d)
	keep = errors.Is(err, io.EOF)
	return x, err
}

// One of several.
func solveJoined(s *solver, stop func() error, d time.Duration) (err error) {
	done := make(chan float64, 1)
	go func() { done <- s.solve() }()
	select {
	case <-done:
	case <-time.After(d):
		return errors.Join(errLate, stop())
	}
	stop()
	return nil
}

func solveStopping(stop func() error, d time.Duration) {
	s := solvers.Get().(*solver)
	if err := solveJoined(s, stop, d); errors.Is(err, errLate) {
		return
	}
	solvers.Put(s)
}

// An error type of the package's own.
type solveError struct {
	rows int
	err  error
}

func (e *solveError) Error() string { return fmt.Sprint(e.rows, e.err) }

func (e *solveError) Unwrap() error { return e.err }

func solveTyped(s *solver, d time.Duration) (float64, error) {
	done := make(chan float64, 1)
	go func() { done <- s.solve() }()
	select {
	case x := <-done:
		return x, nil
	case <-time.After(d):
		return 0, &solveError{len(s.rows), fmt.Errorf("%w after %v", errLate, d)}
	}
}

func solveOwn(d time.Duration) (float64, error) {
	s := solvers.Get().(*solver)
	x, err := solveTyped(s, d)
	if !errors.Is(err, errLate) {
		solvers.Put(s)
	}
	return x, err
}
