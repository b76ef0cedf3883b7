package lostvalues

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// A value that code behind an interface is given in a slice made for the call.

type still struct{ bits []uint64 }

type stills struct{ pool sync.Pool }

func (f *stills) take() *still {
	if x, ok := f.pool.Get().(*still); ok {
		return x
	}
	return new(still)
}

func (f *stills) give(x *still) {
	clear(x.bits)
	f.pool.Put(x)
}

type camera interface {
	Shoot(into []*still) (int, error)
}

type film struct {
	camera camera
	stills stills
	spent  bool
}

// That it is there to be returned shows that the camera does not have it.
func (f *film) nextLost() (*still, error) {
	shots := []*still{f.stills.take()} // want `not put back on the path that ends here`
	n, err := f.camera.Shoot(shots)
	if n > 0 {
		return shots[0], nil
	}
	if errors.Is(err, io.EOF) {
		f.spent = true
		return nil, nil
	}
	return nil, err
}

// A camera that failed may be at it still.
func (f *film) nextRight() (*still, error) {
	shots := []*still{f.stills.take()}
	n, err := f.camera.Shoot(shots)
	if n > 0 {
		return shots[0], nil
	}
	if errors.Is(err, io.EOF) {
		f.stills.give(shots[0])
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("shooting: %w", err)
	}
	f.stills.give(shots[0])
	return nil, nil
}

// The camera may put what it is given, where the function never has it again.
func (f *film) shoot() error {
	shots := []*still{f.stills.take()}
	if _, err := f.camera.Shoot(shots); errors.Is(err, io.EOF) {
		f.spent = true
		return nil
	}
	return nil
}

// So may it where the slice stays with somebody.
func (f *film) nextKept(all *[][]*still) (*still, error) {
	shots := []*still{f.stills.take()}
	*all = append(*all, shots)
	n, err := f.camera.Shoot(shots)
	if n > 0 {
		return shots[0], nil
	}
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return nil, err
}
