package gzipreader

import (
	"bufio"
	"compress/gzip"
	"io"
)

func lines(r io.Reader) (n int, err error) {
	zr, err := gzip.NewReader(r) // site
	if err != nil {
		return 0, err
	}
	defer zr.Close()
	sc := bufio.NewScanner(zr)
	for sc.Scan() {
		n++
	}
	return n, sc.Err()
}
