package setbyreflect

import (
	"bytes"
	"io"
	"net/http"
	"reflect"
	"sync"
)

// A body is read into a buffer and set in the input of a handler by reflection; the buffer is put before the handler runs.

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBody(b *bytes.Buffer) {
	if b.Cap() < 1<<16 {
		b.Reset()
		bodies.Put(b)
	}
}

type input struct {
	ID      int
	RawBody []byte
}

func named(h func(*input)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in input
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		reflect.ValueOf(&in).Elem().FieldByName("RawBody").SetBytes(buf.Bytes())
		putBody(buf)
		h(&in) // want `buf is passed to a function after it was put in bodies`
	}
}

func numbered(h func(*input)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := &input{}
		v := reflect.ValueOf(in).Elem()
		buf := bodies.Get().(*bytes.Buffer)
		io.Copy(buf, r.Body)
		f := v.Field(1)
		f.Set(reflect.ValueOf(buf.Bytes()))
		putBody(buf)
		h(in) // want `buf is passed to a function after it was put in bodies`
	}
}

func anyInput[I any](h func(*I)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := new(I)
		v := reflect.ValueOf(in).Elem()
		buf := bodies.Get().(*bytes.Buffer)
		if _, err := io.Copy(buf, r.Body); err != nil {
			putBody(buf)
			return
		}
		body := buf.Bytes()
		if f := v.FieldByName("RawBody"); f.IsValid() {
			f.SetBytes(body)
		}
		putBody(buf)
		h(in) // want `buf is passed to a function after it was put in bodies`
	}
}

func madeOfType(t reflect.Type, h func(any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := reflect.New(t)
		buf := bodies.Get().(*bytes.Buffer)
		if _, err := io.Copy(buf, r.Body); err != nil {
			putBody(buf)
			return
		}
		for i := range t.NumField() {
			if t.Field(i).Name == "RawBody" {
				v.Elem().Field(i).SetBytes(buf.Bytes())
			}
		}
		putBody(buf)
		h(v.Interface()) // want `buf is passed to a function after it was put in bodies`
	}
}

// The function that reads puts when it returns.

func viaHelper[I any](h func(*I)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		in := new(I)
		if err := readInto(r, in); err != nil {
			return
		}
		h(in)
	}
}

func readInto[I any](r *http.Request, in *I) error {
	buf := bodies.Get().(*bytes.Buffer)
	defer putBody(buf)
	if _, err := io.Copy(buf, r.Body); err != nil {
		return err
	}
	setRaw(reflect.ValueOf(in).Elem(), buf.Bytes()) // want `a variable keeps memory of buf after the value was put in bodies`
	return nil
}

func setRaw(v reflect.Value, b []byte) {
	f := v.FieldByName("RawBody")
	if f.IsValid() {
		f.SetBytes(b)
	}
}

func fillAny(r io.Reader, dst any) {
	buf := bodies.Get().(*bytes.Buffer)
	io.Copy(buf, r)
	reflect.Indirect(reflect.ValueOf(dst)).FieldByName("RawBody").SetBytes(buf.Bytes()) // want `a variable keeps memory of buf after the value was put in bodies`
	putBody(buf)
}
