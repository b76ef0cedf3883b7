package leftover

import (
	"encoding/binary"
	"net/http"
	"sync"
)

var frameBytes = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func frame(n int) []byte {
	b := frameBytes.Get().(*[]byte)
	if cap(*b) < n {
		return make([]byte, n)
	}
	return (*b)[:n]
}

// Wrong: the flag is meant to be zero.
func sendFrame(body []byte, write func([]byte)) {
	b := frame(len(body) + 5)
	binary.BigEndian.PutUint32(b[1:5], uint32(len(body)))
	copy(b[5:], body)
	writeTo(b, write) // want `nothing is written to byte 0 of b`
}

func writeTo(b []byte, write func([]byte)) {
	write(b)
	frameBytes.Put(&b)
}

func sendFrameRight(body []byte, write func([]byte)) {
	b := frame(len(body) + 5)
	b[0] = 0
	binary.BigEndian.PutUint32(b[1:5], uint32(len(body)))
	copy(b[5:], body)
	writeTo(b, write)
}

// Wrong: a record that was used before has the size of its last user.
type record struct {
	data []byte
	next *record
}

type records struct {
	mu   sync.Mutex
	free *record
}

func (r *records) pop() *record {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.free
	if x != nil {
		r.free = x.next
	}
	return x
}

func (r *records) push(x *record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x.next, r.free = r.free, x
}

func (r *records) alloc(n int) *record {
	if x := r.pop(); x != nil { // want `alloc sets field data of a new record as n says \(line \d+\), but not that of one that was used before`
		return x
	}
	return &record{data: make([]byte, n, 64)}
}

func (r *records) use(p []byte) int {
	x := r.alloc(len(p))
	defer r.push(x)
	return copy(x.data, p)
}

type recordsRight struct{ records }

func (r *recordsRight) alloc(n int) *record2 {
	if x := r.pop2(); x != nil {
		x.data = x.data[:n]
		return x
	}
	return &record2{data: make([]byte, n, 64)}
}

type record2 struct {
	data []byte
	next *record2
}

var free2 *record2

func (r *recordsRight) pop2() *record2 {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := free2
	if x != nil {
		free2 = x.next
	}
	return x
}

func (r *recordsRight) use(p []byte) int {
	x := r.alloc(len(p))
	n := copy(x.data, p)
	x.next, free2 = free2, x
	return n
}

// Wrong: headers that one user adds go with those of the next.
type mail struct {
	to     string
	header http.Header
}

var mails = sync.Pool{New: func() any { return &mail{header: http.Header{}} }}

func sendMail(to string, more map[string]string, send func(string, http.Header)) {
	m := mails.Get().(*mail)
	m.to = to
	for k, v := range more {
		m.header.Add(k, v)
	}
	send(m.to, m.header.Clone())
	m.to = ""
	mails.Put(m) // want `field header of the pooled mail is filled in use \(line \d+\) and never emptied`
}

type mailRight struct {
	to     string
	header http.Header
}

var mailsRight = sync.Pool{New: func() any { return &mailRight{header: http.Header{}} }}

func sendMailRight(to string, more map[string]string, send func(string, http.Header)) {
	m := mailsRight.Get().(*mailRight)
	m.to = to
	for k, v := range more {
		m.header.Add(k, v)
	}
	send(m.to, m.header.Clone())
	m.to = ""
	clear(m.header)
	mailsRight.Put(m)
}

// Wrong: setLink does nothing for those without one, and the element has what it had.
type hop struct {
	link *byte
	n    int
	name string
}

type hops struct{ list []hop }

var hopPool = sync.Pool{New: func() any { return new(hops) }}

func (h *hop) setLink(p []byte) {
	if len(p) == 0 {
		return
	}
	h.link, h.n = &p[0], len(p)
}

func fillHops(names []string, links [][]byte, send func([]hop)) {
	h := hopPool.Get().(*hops)
	if cap(h.list) < len(names) {
		h.list = make([]hop, len(names))
	}
	list := h.list[:len(names)]
	for i := range names {
		list[i].setLink(links[i]) // want `fields link, n of the hop in a slice that is used again are set only where they apply`
		list[i].name = names[i]
	}
	send(list)
	hopPool.Put(h)
}
