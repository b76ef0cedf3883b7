// Package codecs holds codecs that must stay as they are.
package codecs

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"

	"github.com/klauspost/compress/zstd"
)

func newWriter(w io.Writer) io.WriteCloser {
	return gzip.NewWriter(w) // refuse "no variable of its own"
}

func handedOut(w io.Writer) io.WriteCloser {
	gz := gzip.NewWriter(w) // refuse "it is returned"
	gz.Comment = "x"
	return gz
}

type server struct{ out io.Writer }

func (s *server) start(w io.Writer) {
	gz := gzip.NewWriter(w) // refuse "stored in the field out"
	s.out = gz
}

func typed(w io.Writer, data []byte) error {
	gz := gzip.NewWriter(w) // refuse "which it would be no more"
	return finish(gz, data)
}

func finish(gz *gzip.Writer, data []byte) error {
	gz.Write(data)
	return gz.Close()
}

func deflate(w io.Writer, data []byte) error {
	fw, err := flate.NewWriter(w, 5) // refuse "no pool of its own for flate"
	if err != nil {
		return err
	}
	fw.Write(data)
	return fw.Close()
}

func inIf(r io.Reader) error {
	if zr, err := gzip.NewReader(r); err == nil { // refuse "head of a statement"
		return zr.Close()
	}
	return nil
}

func again(w io.Writer, data []byte) error {
	gz := gzip.NewWriter(w) // refuse "another value later"
	gz.Write(data)
	gz.Close()
	gz = gzip.NewWriter(w)
	return gz.Close()
}

func whole(data []byte) []byte {
	z, err := zstd.NewWriter(nil) // refuse "EncodeAll"
	if err != nil {
		return nil
	}
	return z.EncodeAll(data, nil)
}

func dictionary(w io.Writer, dict []byte) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderDict(dict)) // refuse "option WithEncoderDict"
	if err != nil {
		return err
	}
	return z.Close()
}

func decode(r *http.Request, v any) error {
	return json.NewDecoder(r.Body).Decode(v) // refuse "reads r.Body to its end"
}

func several(w io.Writer, vs []any) error {
	enc := json.NewEncoder(w) // refuse "after an error it refuses the rest"
	for _, v := range vs {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

func marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v) // refuse "it is returned"
	if err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b), nil
}

func stream(pw *io.PipeWriter, data []byte) {
	gz := gzip.NewWriter(pw) // refuse "goroutine"
	go func() {
		gz.Write(data)
		gz.Close()
	}()
}
