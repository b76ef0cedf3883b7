package missingput

import (
	"compress/gzip"
	"io"
	"sync"
)

var gunzips sync.Pool

func newGunzip(r io.Reader) (*gzip.Reader, error) {
	if z, ok := gunzips.Get().(*gzip.Reader); ok {
		return z, z.Reset(r)
	}
	return gzip.NewReader(r)
}

type unzipped struct {
	body io.ReadCloser
	zr   *gzip.Reader
}

func (u *unzipped) Read(p []byte) (n int, err error) {
	if u.zr == nil {
		if u.zr, err = newGunzip(u.body); err != nil {
			return 0, err
		}
	}
	n, err = u.zr.Read(p)
	if err == io.EOF {
		gunzips.Put(u.zr)
		u.zr = nil
	}
	return n, err
}

func (u *unzipped) Close() error { // want `Close leaves what zr holds, which only Read puts, at the end of what is read`
	return u.body.Close()
}

// This one puts it at both ends.
type unzippedBoth struct {
	body io.ReadCloser
	zr   *gzip.Reader
}

func (u *unzippedBoth) Read(p []byte) (n int, err error) {
	if u.zr == nil {
		if u.zr, err = newGunzip(u.body); err != nil {
			return 0, err
		}
	}
	n, err = u.zr.Read(p)
	if err == io.EOF {
		u.drop()
	}
	return n, err
}

func (u *unzippedBoth) drop() {
	if u.zr != nil {
		gunzips.Put(u.zr)
		u.zr = nil
	}
}

func (u *unzippedBoth) Close() error {
	u.drop()
	return u.body.Close()
}

// This one reads to the end.
type unzippedAll struct {
	body io.ReadCloser
	zr   *gzip.Reader
}

func (u *unzippedAll) Read(p []byte) (n int, err error) {
	if u.zr == nil {
		if u.zr, err = newGunzip(u.body); err != nil {
			return 0, err
		}
	}
	n, err = u.zr.Read(p)
	if err == io.EOF {
		gunzips.Put(u.zr)
		u.zr = nil
	}
	return n, err
}

func (u *unzippedAll) Close() error {
	io.Copy(io.Discard, u)
	return u.body.Close()
}
