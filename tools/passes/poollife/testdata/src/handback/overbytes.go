// SPDX-License-Identifier: BSD-3-Clause

package handback // Who still has a value: the map of pending calls, the users that a field counts, the buffer that was made over its bytes.

import "bytes"

type sizedList struct {
	free chan *bytes.Buffer
	max  int
}

var sized = &sizedList{make(chan *bytes.Buffer, 8), 512}

func (l *sizedList) take() *bytes.Buffer {
	select {
	case b := <-l.free:
		return b
	default:
		return bytes.NewBuffer(make([]byte, 0, l.max))
	}
}

// give keeps no buffer that is larger than the others.
func (l *sizedList) give(b *bytes.Buffer) {
	b.Reset()
	if b.Cap() > l.max {
		b = bytes.NewBuffer(make([]byte, 0, l.max))
	}
	select {
	case l.free <- b:
	default:
	}
}

func quoteOver(s string) []byte {
	out := append(sized.take().Bytes(), '"')
	defer func() { sized.give(bytes.NewBuffer(out)) }()
	out = append(out, s...)
	return out // want `memory of bytes.NewBuffer\(out\) is returned while the deferred call puts it in the channel free`
}

func quoteNow(s string) []byte {
	out := append(sized.take().Bytes(), s...)
	sized.give(bytes.NewBuffer(out))
	return out // want `memory of bytes.NewBuffer\(out\) is returned after it was put in the channel free`
}

type appender struct{ out []byte }

func (a *appender) add(s string) { a.out = append(a.out, s...) }

func (a *appender) done() { sized.give(bytes.NewBuffer(a.out)) }

func quoteWith(s string) []byte {
	a := &appender{out: sized.take().Bytes()}
	defer a.done()
	a.add(s)
	return a.out // want `memory of a is returned while the deferred call puts it in the channel free`
}

func quoteCopied(s string) []byte {
	out := append(sized.take().Bytes(), s...)
	defer func() { sized.give(bytes.NewBuffer(out)) }()
	return bytes.Clone(out)
}

func quoteFresh(s string) []byte {
	out := append([]byte(nil), s...)
	b := bytes.NewBuffer(make([]byte, 0, 64))
	b.Write(out)
	sized.give(b)
	return out
}

func quoteWhole(s string) string {
	out := append(sized.take().Bytes(), s...)
	defer func() { sized.give(bytes.NewBuffer(out)) }()
	return string(out)
}
