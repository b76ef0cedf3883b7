package unfixed

import "io"

func lateInLoop(w io.Writer, ids []uint64) (n int) {
	for _, id := range ids {
		m := messages.Get().(*message)
		m.id = id
		m.send(w)
		messages.Put(m)
		n += len(m.body) // want `m is read after it was put`
	}
	return n
}

func lateReturn(w io.Writer, id uint64) int {
	m := messages.Get().(*message)
	m.id = id
	if id == 0 {
		messages.Put(m)
		return 0
	}
	m.send(w)
	messages.Put(m)
	return len(m.body) // want `m is read after it was put`
}

// Its memory is returned as well: a deferred Put would not mend that.
func lateAlias(w io.Writer, id uint64) ([]byte, int) {
	m := messages.Get().(*message)
	m.id = id
	m.send(w)
	messages.Put(m)
	n := len(m.body) // want `m is read after it was put`
	return m.body, n // want `memory of m is returned`
}

// It is cleared for the Put, and used thereafter.
func lateCleared(w io.Writer, id uint64) int {
	m := messages.Get().(*message)
	m.id = id
	m.send(w)
	m.Reset()
	messages.Put(m)
	return len(m.body) // want `m is read after it was put`
}
