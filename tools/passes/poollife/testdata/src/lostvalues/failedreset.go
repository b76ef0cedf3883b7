package lostvalues

import (
	"compress/gzip"
	"io"
	"sync"
)

// A reader that could not be reset is dropped, and another is made: nobody asks for its error any more
// when that is clear.

var inflaters sync.Pool

type inflated struct{ zr *gzip.Reader }

func openInflated(r io.Reader) (*inflated, error) {
	if v := inflaters.Get(); v != nil {
		zr := v.(*gzip.Reader)
		if err := zr.Reset(r); err == nil {
			return &inflated{zr}, nil
		}
	}
	zr, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return &inflated{zr}, nil
}

func (z *inflated) Close() error {
	err := z.zr.Close()
	inflaters.Put(z.zr)
	return err
}

// One that another call's error is about is not.
func openChecked(r io.Reader, check func() error) (*inflated, error) {
	if v := inflaters.Get(); v != nil { // want `v, taken from inflaters at line 38, is not put back on the path that ends here`
		if err := check(); err != nil {
			return nil, err
		}
		return &inflated{v.(*gzip.Reader)}, nil
	}
	zr, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return &inflated{zr}, nil
}
