package missingput

import (
	"encoding/binary"
	"io"
	"sync"
)

// Slices that are put in a header of the Put's own: one that has no room is made anew, and its header is no loss.

var headed sync.Pool

func takeHeaded(n int) []byte {
	b, ok := headed.Get().(*[]byte)
	if !ok {
		b = new([]byte)
	}
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	return (*b)[:n]
}

func giveHeaded(p []byte) { headed.Put(&p) }

func sumHeaded(r io.Reader) (sum int, err error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return 0, err
	}
	p := takeHeaded(int(binary.BigEndian.Uint32(size[:])))
	if _, err := io.ReadFull(r, p); err != nil {
		giveHeaded(p)
		return 0, err
	}
	for _, c := range p {
		sum += int(c)
	}
	giveHeaded(p)
	return sum, nil
}

func sumHeadedLost(r io.Reader, n int) (sum int, err error) {
	p := takeHeaded(n) // want `p, taken from headed at line 44, is not put back on the path that ends here`
	if _, err := io.ReadFull(r, p); err != nil {
		return 0, err
	}
	for _, c := range p {
		sum += int(c)
	}
	giveHeaded(p)
	return sum, nil
}
