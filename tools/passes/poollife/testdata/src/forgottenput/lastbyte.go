package forgottenput

import "bytes"

// Which byte is last does not bound the buffer; how long it is does.

type line struct{ buf []byte }

func (l *line) addTaken(b *bytes.Buffer) {
	if p := b.Bytes(); p[len(p)-1] != '\n' {
		b.WriteByte('\n')
	}
	l.buf = append(l.buf, b.Bytes()...)
}

func (l *line) wrong() {
	b := get() // want `is not put back on any path`
	b.WriteString("x")
	l.addTaken(b)
}

func (l *line) right() {
	b := get()
	b.WriteString("x")
	l.addTaken(b)
	put(b)
}

func (l *line) bounded() {
	b := get()
	b.WriteString("x")
	l.addTaken(b)
	if b.Len() < 4096 {
		put(b)
	}
}
