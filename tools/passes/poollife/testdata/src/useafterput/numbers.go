package useafterput

import "sync"

var drafts = sync.Pool{New: func() any { return new([256]byte) }}

type draft struct {
	buf  []byte
	from int
}

func (d *draft) drop() { drafts.Put((*[256]byte)(d.buf[:256])) }

// What is nothing is not more than nothing.
func (d *draft) cut(done int) []byte {
	more := len(d.buf) - d.from - done
	if more == 0 {
		d.drop()
	}
	var rest []byte
	if more > 0 {
		rest = append(rest, d.buf[len(d.buf)-more:]...)
	}
	return rest
}

func (d *draft) cutLate(done int) []byte {
	more := len(d.buf) - d.from - done
	if more < 3 {
		d.drop()
	}
	var rest []byte
	if more > 0 {
		rest = append(rest, d.buf[len(d.buf)-more:]...) // want `d is read after it was put in drafts`
	}
	return rest
}

// A number that is not 0 and not below it is above it.
func (d *draft) cutNot(n int) int {
	if n < 0 {
		return 0
	}
	if n == 0 {
		d.drop()
		return 0
	}
	if n < 1 {
		d.drop()
	}
	return len(d.buf[:n])
}

// The first turn is not a later one.
func (d *draft) each(n int) {
	for turn := 0; turn < n; turn++ {
		if turn > 0 {
			d.buf[0]++
		}
		if turn == 0 {
			d.from++
		} else if turn < 1 {
			d.drop()
		}
	}
}

func (d *draft) eachLate(n int) {
	for turn := 0; turn < n; turn++ {
		if turn > 0 {
			d.buf[0]++ // want `d is read after it was put in drafts`
			return
		}
		d.drop()
	}
}
