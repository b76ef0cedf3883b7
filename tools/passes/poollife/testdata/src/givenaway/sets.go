package givenaway

import (
	"strings"
	"sync"
	"unsafe"
)

type buffer struct{ B []byte }

var bufferPool = sync.Pool{New: func() any { return &buffer{} }}

func yolo(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

type index struct{ data []byte }

func (x *index) one() string { return yolo(x.data[1:3]) }
func (x *index) all() []string {
	var vs []string
	for b := x.data; len(b) > 0; b = b[2:] {
		vs = append(vs, yolo(b[:2]))
	}
	return vs
}
func (x *index) allErr() ([]string, error) {
	var vs []string
	for b := x.data; len(b) > 0; {
		n := int(b[0])
		if len(b) < n {
			return nil, errBad
		}
		if yolo(b[:n]) == "x" {
			vs = append(vs, yolo(b[:2]))
		}
		b = b[n:]
	}
	return vs, nil
}

var errBad error

type ds struct {
	buf  *buffer
	tsdb *index
}

func (d *ds) Open() {
	d.buf = bufferPool.Get().(*buffer)
	d.tsdb = &index{data: d.buf.B}
}
func (d *ds) Index() *index { return d.tsdb }
func (d *ds) Close() {
	if d.buf != nil {
		bufferPool.Put(d.buf)
		d.buf = nil
	}
	d.tsdb = nil
}

func sv1(d *ds) string {
	d.Open()
	defer d.Close()
	return d.Index().one() // want `memory of d is returned while the deferred call puts it in bufferPool`
}
func sv2(d *ds) []string {
	d.Open()
	defer d.Close()
	return d.Index().all() // want `memory of d is returned while the deferred call puts it in bufferPool`
}
func sv3(d *ds) []string {
	d.Open()
	defer d.Close()
	vs, _ := d.Index().allErr()
	return vs // want `memory of d is returned while the deferred call puts it in bufferPool`
}

type report struct{ vs []string }
type agg struct{ seen map[string]struct{} }

func (a *agg) add(r *report) {
	for _, v := range r.vs {
		a.seen[v] = struct{}{}
	}
}
func sv4(d *ds, a *agg) {
	d.Open()
	defer d.Close()
	a.seen[d.Index().one()] = struct{}{} // want `an element of a slice or map keeps memory of d after the value was put in bufferPool`
}
func sv5(d *ds, a *agg) {
	d.Open()
	defer d.Close()
	a.add(&report{d.Index().all()}) // want `an element of a slice or map keeps memory of d after the value was put in bufferPool`
}
func sv6(d *ds, a *agg) {
	d.Open()
	defer d.Close()
	r := &report{d.Index().all()}
	for _, v := range r.vs {
		a.seen[v] = struct{}{} // want `an element of a slice or map keeps memory of d after the value was put in bufferPool`
	}
}
func sv7(d *ds, m map[string]string) {
	d.Open()
	defer d.Close()
	m["x"] = d.Index().one() // want `an element of a slice or map keeps memory of d after the value was put in bufferPool`
}
func sv8(d *ds, m map[string]string) {
	d.Open()
	defer d.Close()
	r := d.Index().all()
	for _, v := range r {
		m["x"] = v // want `an element of a slice or map keeps memory of d after the value was put in bufferPool`
	}
}

// Right: the keys are copies.
func okCopied(d *ds, m map[string]struct{}) {
	d.Open()
	defer d.Close()
	for _, v := range d.Index().all() {
		m[strings.Clone(v)] = struct{}{}
	}
}

// Right: the set is gone with the call.
func okLocal(d *ds) int {
	d.Open()
	defer d.Close()
	m := map[string]struct{}{}
	for _, v := range d.Index().all() {
		m[v] = struct{}{}
	}
	return len(m)
}

// Right: the key goes before the Put.
func okDeleted(d *ds, m map[string]struct{}) {
	d.Open()
	defer d.Close()
	v := d.Index().one()
	m[v] = struct{}{}
	delete(m, v)
}
