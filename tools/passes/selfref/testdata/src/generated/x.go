package generated

// The struct is of the generated file.
func (r *record) write(p []byte) {
	if r.buf == nil {
		r.buf = r.boot[:0] // want `field buf is made a slice of its own struct's array boot`
	}
	r.buf = append(r.buf, p...)
}

type own struct {
	buf  []byte
	boot [64]byte
}

func (o *own) write(p []byte) {
	if o.buf == nil {
		o.buf = o.boot[:0] // want `field buf is made a slice of its own struct's array boot`
	}
	o.buf = append(o.buf, p...)
}

func (r *record) right(p []byte) { r.buf = append(r.buf, p...) }
