package missingput

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// Bodies of responses that a function sends for itself.

var answerBufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type readAnswer struct{ *bytes.Buffer }

func (r *readAnswer) Close() error {
	if b := r.Buffer; b != nil {
		r.Buffer = nil
		answerBufs.Put(b)
	}
	return nil
}

func readInto(from io.ReadCloser) io.ReadCloser {
	b := answerBufs.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(from)
	from.Close()
	return &readAnswer{b}
}

var errAnswer = errors.New("answer")

func askOnce(c *http.Client, req *http.Request) (int, error) {
	res, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	res.Body = readInto(res.Body) // want `not put back on the path that ends here`
	if res.StatusCode != http.StatusOK {
		return 0, errAnswer
	}
	return measure(res)
}

func measure(res *http.Response) (int, error) {
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return len(b), err
}

type courier struct {
	via http.RoundTripper
	log func(*http.Response)
	old *http.Response
}

// ask closes the body on each way.
func (r *courier) ask(req *http.Request) (int, error) {
	res, err := r.via.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	res.Body = readInto(res.Body)
	n, err := strconv.Atoi(res.Header.Get("Length"))
	if err != nil {
		res.Body.Close()
		return 0, err
	}
	m, err := measure(res)
	return n + m, err
}

// RoundTrip leaves it to its caller.
func (r *courier) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := r.via.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	res.Body = readInto(res.Body)
	if res.StatusCode != http.StatusOK {
		return res, errAnswer
	}
	return res, nil
}

// logged gives it to others, and kept has it.
func (r *courier) logged(req *http.Request) error {
	res, err := r.via.RoundTrip(req)
	if err != nil {
		return err
	}
	res.Body = readInto(res.Body)
	if res.StatusCode != http.StatusOK {
		r.log(res)
		return errAnswer
	}
	r.old = res
	return nil
}

// deferred closes it at its end.
func (r *courier) deferred(req *http.Request) error {
	res, err := r.via.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { res.Body.Close() }()
	res.Body = readInto(res.Body)
	if res.StatusCode != http.StatusOK {
		return errAnswer
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
