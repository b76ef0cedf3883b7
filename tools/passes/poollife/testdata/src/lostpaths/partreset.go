package lostpaths

import (
	"bufio"
	"compress/gzip"
	"io"
	"sync"
)

// A reader around another one, which is pooled with it.
type unzipper struct {
	*bufio.Reader
	zip *gzip.Reader
}

var unzippers sync.Pool

// What has a part that could not be reset is of no more use.
func unzip(src io.Reader) (*unzipper, error) {
	if v := unzippers.Get(); v != nil {
		u := v.(*unzipper)
		if err := u.zip.Reset(src); err != nil {
			return nil, err
		}
		u.Reset(u.zip)
		return u, nil
	}
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, err
	}
	return &unzipper{bufio.NewReader(z), z}, nil
}

func (u *unzipper) done() { unzippers.Put(u) }

// A part that cannot be read says nothing of the rest.
func firstByte(src io.Reader) (byte, error) {
	v := unzippers.Get() // want `not put back on the path`
	if v == nil {
		return 0, io.EOF
	}
	u := v.(*unzipper)
	u.Reset(src)
	b, err := u.ReadByte()
	if err != nil {
		return 0, err
	}
	u.done()
	return b, nil
}
