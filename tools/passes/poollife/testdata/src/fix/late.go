package fix

import "io"

func length(w io.Writer, body []byte) int {
	m := messages.Get().(*message)
	m.body = append(m.body[:0], body...)
	n, err := m.send(w)
	if err != nil {
		n = 0
	}
	messages.Put(m)
	return n - len(m.body) // want `m is read after it was put in messages`
}
