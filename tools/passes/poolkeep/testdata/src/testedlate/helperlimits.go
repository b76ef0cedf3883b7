package testedlate

import "sync"

// A helper that gives what it was given back, cut, where that is not too large, is a limit. One that gives it
// back where it is large enough is none.

const mostKept = 1 << 16

type octets []byte

func (o octets) shrunk() octets {
	if cap(o) > mostKept {
		return nil
	}
	return o[:0]
}

type packet struct{ head, body octets }

var packets = sync.Pool{New: func() any { return new(packet) }}

func (p *packet) clean() { p.head, p.body = p.head.shrunk(), p.body.shrunk() }

func sendPacket(head, body []byte, send func(...[]byte)) {
	p := packets.Get().(*packet)
	p.head = append(p.head, head...)
	p.body = append(p.body, body...)
	send(p.head, p.body)
	p.clean()
	packets.Put(p)
}

func shortened[T any](s []T, most int) []T {
	if cap(s) <= most {
		clear(s)
		return s[:0]
	}
	return make([]T, 0, 16)
}

type verse struct {
	raw   []byte
	words []string
}

var verses = sync.Pool{New: func() any { return new(verse) }}

func Verse(raw []byte, words []string, use func(*verse)) {
	v := verses.Get().(*verse)
	defer func() {
		v.raw, v.words = shortened(v.raw, 4096), shortened(v.words, 128)
		verses.Put(v)
	}()
	v.raw = append(v.raw, raw...)
	v.words = append(v.words, words...)
	use(v)
}

func withRoom(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:0]
	}
	return make([]byte, 0, n)
}

type stanza struct{ raw []byte }

var stanzas = sync.Pool{New: func() any { return new(stanza) }}

func Stanza(raw []byte, use func([]byte)) {
	s := stanzas.Get().(*stanza)
	s.raw = append(withRoom(s.raw, len(raw)), raw...)
	use(s.raw)
	s.raw = s.raw[:0]
	stanzas.Put(s) // want `keeps s, put at line 76, whatever its size`
}
