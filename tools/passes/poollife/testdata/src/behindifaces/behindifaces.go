// Package behindifaces calls the methods of types of other packages that are behind interfaces.
package behindifaces

import (
	"bytes"
	"io"

	"behindifaces/between"
	"behindifaces/codecs"
)

func concrete(s string) []byte {
	e := codecs.NewConcrete()
	defer e.Release()
	return e.Encode(s) // want `memory of e is returned while the deferred call puts it in concretes`
}

func asEncoder(s string) []byte {
	e := codecs.NewAsEncoder()
	defer e.Release()
	return e.Encode(s) // want `memory of e is returned while the deferred call puts it in concretes`
}

func encodes(s string) []byte {
	e := codecs.NewEncoder()
	defer e.Release()
	return e.Encode(s) // want `memory of e is returned while the deferred call puts it in encoders`
}

func encodesOr(n int, s string) ([]byte, error) {
	e, err := codecs.NewEncoderOr(n)
	if err != nil {
		return nil, err
	}
	defer e.Release()
	return e.Encode(s), nil // want `memory of e is returned while the deferred call puts it in encoders`
}

func passedOn(s string) []byte {
	e := between.Encoder()
	defer e.Release()
	return e.Encode(s) // want `memory of e is returned while the deferred call puts it in encoders`
}

func releasesTwice(s string) string {
	e := codecs.NewEncoder()
	r := string(e.Encode(s))
	e.Release()
	e.Release() // want `e is put in encoders a second time`
	return r
}

func usesBytes(s string) string {
	e := codecs.NewEncoder()
	b := e.Encode(s)
	e.Release()
	return string(b) // want `e is read after it was put in encoders`
}

func usesAgain(s string) string {
	e := codecs.NewEncoder()
	e.Release()
	return string(e.Encode(s)) // want `e is read after it was put in encoders`
}

func copies(s string) []byte {
	e := codecs.NewEncoder()
	defer e.Release()
	return bytes.Clone(e.Encode(s))
}

func copiesOr(n int, s string) (string, error) {
	e, err := codecs.NewEncoderOr(n)
	if err != nil {
		return "", err
	}
	defer e.Release()
	return string(e.Encode(s)), nil
}

func unpooled(s string) []byte {
	e := codecs.Plain()
	defer e.Release()
	return e.Encode(s)
}

func unknownEncoder(e codecs.Encoder, s string) []byte {
	defer e.Release()
	return e.Encode(s)
}

func eitherEncoder(pooled bool, s string) []byte {
	e := codecs.Plain()
	if pooled {
		e = codecs.NewEncoder()
	}
	if pooled {
		defer e.Release()
		return bytes.Clone(e.Encode(s))
	}
	defer e.Release()
	return e.Encode(s)
}

func lends(s string) []byte {
	l := codecs.NewLender()
	b := l.Buf()
	defer l.Done(b)
	b.WriteString(s)
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in bufs`
}

func lendsPassedOn(s string) []byte {
	l := between.New()
	b := l.Buf()
	defer l.Done(b)
	b.WriteString(s)
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in bufs`
}

func lendsStd(s string) string {
	b := codecs.Std.Buf()
	b.WriteString(s)
	codecs.Std.Done(b)
	return b.String() // want `b is used by String after it was put in bufs`
}

func lendsDefault(s string) string {
	b := codecs.Default().Buf()
	b.WriteString(s)
	codecs.Default().Done(b)
	return b.String() // want `b is used by String after it was put in bufs`
}

var mine = codecs.NewLender()

func lendsMine(s string) string {
	b := mine.Buf()
	b.WriteString(s)
	mine.Done(b)
	return b.String() // want `b is used by String after it was put in bufs`
}

type server struct {
	lends codecs.Lender
	given codecs.Lender
}

func newServer(l codecs.Lender) *server { return &server{lends: codecs.NewLender(), given: l} }

func (s *server) handle(x string) []byte {
	b := s.lends.Buf()
	defer s.lends.Done(b)
	b.WriteString(x)
	return b.Bytes() // want `memory of b is returned while the deferred call puts it in bufs`
}

func (s *server) handleGiven(x string) []byte {
	b := s.given.Buf()
	defer s.given.Done(b)
	b.WriteString(x)
	return b.Bytes()
}

func lendsOther(s string) string {
	b := codecs.Other.Buf()
	b.WriteString(s)
	codecs.Other.Done(b)
	return b.String()
}

func lendsChosen(pooled bool, s string) string {
	l := codecs.Choose(pooled)
	b := l.Buf()
	b.WriteString(s)
	l.Done(b)
	return b.String()
}

func lendsWell(s string) string {
	l := codecs.NewLender()
	b := l.Buf()
	defer l.Done(b)
	b.WriteString(s + l.Name())
	return b.String()
}

func closesTwice(r io.Reader) ([]byte, error) {
	rc := codecs.Open(r)
	defer rc.Close() // want `rc is put in readBufs a second time`
	x, err := io.ReadAll(rc)
	if err != nil {
		rc.Close()
		return nil, err
	}
	return x, nil
}

func readsClosed(r io.Reader, p []byte) (int, error) {
	rc := codecs.Open(r)
	rc.Close()
	return rc.Read(p) // want `rc is used by Read after it was put in readBufs`
}

func readsOpen(r io.Reader, p []byte) (int, error) {
	rc := codecs.Open(r)
	n, err := rc.Read(p)
	rc.Close()
	return n, err
}

func readsReopened(r io.Reader, p []byte) (int, error) {
	rc := codecs.OpenAgain(r)
	rc.Close()
	return rc.Read(p)
}

func readsSized(r io.Reader, p []byte) (int, error) {
	rc := codecs.NewSized(r)
	defer rc.Close() // want `rc is put in readBufs a second time`
	rc.Close()
	if rc.Len() > 0 {
		return rc.Read(p)
	}
	return rc.Peek(p) // want `rc is used by Peek after it was put in readBufs`
}

func closesOnce(r io.Reader) ([]byte, error) {
	rc := codecs.Open(r)
	defer rc.Close()
	return io.ReadAll(rc)
}

func closesGuardedTwice(r io.Reader) ([]byte, error) {
	rc := codecs.OpenGuarded(r)
	defer rc.Close()
	x, err := io.ReadAll(rc)
	if err != nil {
		rc.Close()
		return nil, err
	}
	return x, nil
}
