package gziplevel

import (
	"compress/gzip"
	"io"
)

func compress(w io.Writer, r io.Reader, level int) (n int64, err error) {
	zw, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return 0, err
	}
	if n, err = io.Copy(zw, r); err != nil { // site
		return n, err
	}
	return n, zw.Close()
}
