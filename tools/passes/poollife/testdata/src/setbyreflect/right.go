package setbyreflect

import (
	"bytes"
	"io"
	"net/http"
	"reflect"
)

// A copy is set.

func cloned(h func(*input)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in input
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		reflect.ValueOf(&in).Elem().FieldByName("RawBody").SetBytes(bytes.Clone(buf.Bytes()))
		putBody(buf)
		h(&in)
	}
}

func stringSet[I any](h func(*I)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := new(I)
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		reflect.ValueOf(in).Elem().FieldByName("Text").SetString(buf.String())
		putBody(buf)
		h(in)
	}
}

// It is put when the handler has returned.

func putAfter(h func(*input)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in input
		buf := bodies.Get().(*bytes.Buffer)
		defer putBody(buf)
		io.Copy(buf, r.Body)
		reflect.ValueOf(&in).Elem().FieldByName("RawBody").SetBytes(buf.Bytes())
		h(&in)
	}
}

func putLater[I any](h func(*I)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := new(I)
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		reflect.ValueOf(in).Elem().FieldByName("RawBody").SetBytes(buf.Bytes())
		h(in)
		putBody(buf)
	}
}

// The field is set to a copy before the buffer is put, or to nil.

func copiedOver(h func(*input)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in input
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		f := reflect.ValueOf(&in).Elem().FieldByName("RawBody")
		f.SetBytes(buf.Bytes())
		in.RawBody = bytes.Clone(in.RawBody)
		putBody(buf)
		h(&in)
	}
}

func setBack(h func(*input)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in input
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		f := reflect.ValueOf(&in).Elem().FieldByName("RawBody")
		f.SetBytes(buf.Bytes())
		f.Set(reflect.Zero(f.Type()))
		putBody(buf)
		h(&in)
	}
}

// What is set is a copy of the pooled struct, and nothing in it is the pool's.

type record struct {
	a, b int
	next *record
}

func copyOut(dst any) {
	buf := bodies.Get().(*bytes.Buffer)
	r := record{a: buf.Len()}
	reflect.ValueOf(dst).Elem().Set(reflect.ValueOf(&r).Elem())
	putBody(buf)
}

// A value that is read by reflection is not of the buffer.

func lengths(h func(any)) {
	buf := bodies.Get().(*bytes.Buffer)
	in := input{ID: buf.Len()}
	id := reflect.ValueOf(&in).Elem().FieldByName("ID").Interface()
	putBody(buf)
	h(id)
}

// The decoder's caller puts when it has done with what was decoded.

func decodeThen(r io.Reader, use func(*input)) {
	buf := bodies.Get().(*bytes.Buffer)
	var in input
	decodeFrom(r, buf, &in)
	use(&in)
	putBody(buf)
}

func decodeFrom(r io.Reader, buf *bytes.Buffer, dst any) {
	io.Copy(buf, r)
	reflect.ValueOf(dst).Elem().FieldByName("RawBody").SetBytes(buf.Bytes())
}

// The field, whichever it is, is set back before the buffer is put.

func setAndBack(r io.Reader, dst any, use func(any)) {
	buf := bodies.Get().(*bytes.Buffer)
	io.Copy(buf, r)
	f := reflect.ValueOf(dst).Elem().FieldByName("RawBody")
	f.SetBytes(buf.Bytes())
	use(dst)
	f.SetBytes(nil)
	putBody(buf)
}

func setAndZero[I any](r io.Reader, use func(*I)) {
	buf := bodies.Get().(*bytes.Buffer)
	io.Copy(buf, r)
	in := new(I)
	f := reflect.ValueOf(in).Elem().FieldByName("RawBody")
	f.SetBytes(buf.Bytes())
	use(in)
	f.SetZero()
	putBody(buf)
	use(in)
}
