package facts

import (
	"bytes"
	"io"

	"facts/lib"
)

// A buffer is no Packer: nothing gives it back.
func packedSize(x lib.Packable) (int, error) {
	b := new(bytes.Buffer)
	if err := lib.Pack(b, x); err != nil {
		return 0, err
	}
	return b.Len(), nil
}

func packed(x lib.Packable) (*bytes.Buffer, error) {
	b := new(bytes.Buffer)
	if err := lib.Pack(b, x); err != nil {
		return nil, err
	}
	return b, nil
}

// What is none in another wrapper is none.
type counting struct {
	io.Writer
	n int
}

func packCounted(w io.Writer, x lib.Packable) (int, error) {
	c := &counting{Writer: w}
	if err := lib.Pack(c, x); err != nil {
		return 0, err
	}
	return c.n, nil
}

// Any writer, which is a Packer on some day.
func packAll(w io.Writer, all []lib.Packable) error {
	for _, x := range all {
		if err := lib.Pack(w, x); err != nil {
			return err
		}
	}
	return nil
}

func packBoth(w io.Writer, x, y lib.Packable) error {
	if err := lib.Pack(w, x); err != nil {
		return err
	}
	if err := lib.Pack(w, y); err != nil {
		return err
	}
	_, err := w.Write(nil)
	return err
}

// What is meant to release does so, for what it knows.
func released(b *bytes.Buffer) int {
	lib.Release(b)
	return b.Len()
}

func releasedTwice(p *lib.Packer) {
	lib.Release(p)
	lib.Release(p) // want `p is put in packers a second time`
}

func releasedAny(w io.Writer) error {
	lib.Release(w)
	_, err := w.Write(nil) // want `w is passed to Write after it was put in packers`
	return err
}
