package dropped

// A mark goes to the end of the old slab before the larger one takes its place.

type marker struct{ now *slab }

func newMarker() *marker { return &marker{now: slabs.Get().(*slab)} }

func (m *marker) Grow(n int) {
	if cap(m.now.b)-len(m.now.b) >= n {
		return
	}
	m.now.b = append(m.now.b, '.')
	s := slabs.Get().(*slab)
	s.b = append(s.b[:0], m.now.b...)
	m.now = s // want `field now is set while it may hold another value taken from slabs`
}

func (m *marker) Close() { slabs.Put(m.now); m.now = nil }

// right: the memory of the old one goes on in another field
type keeper struct {
	at   *slab
	last []byte
}

func newKeeper() *keeper { return &keeper{at: slabs.Get().(*slab)} }

func (k *keeper) Grow(n int) {
	if cap(k.at.b)-len(k.at.b) >= n {
		return
	}
	k.last = append(k.at.b, '.')
	s := slabs.Get().(*slab)
	s.b = append(s.b[:0], k.at.b...)
	k.at = s
}

func (k *keeper) Close() { slabs.Put(k.at); k.at = nil }
