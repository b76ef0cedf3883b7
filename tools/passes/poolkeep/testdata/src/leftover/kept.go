package leftover

import "sync"

type peer struct{ addr string }

// Wrong: cut when it is taken, so that the pool has the peers meanwhile.
type group struct{ peers []*peer }

func takeGroup(capacity, n int) *group {
	g := groups.Get().(*group)
	if cap(g.peers) < capacity {
		g.peers = make([]*peer, capacity)
	}
	g.peers = g.peers[:n]
	return g
}

var groups = sync.Pool{New: func() any { return new(group) }}

func putGroup(g *group) { groups.Put(g) } // want `g, the pooled group, still leads to what the last user appended to peers`

func eachPeer(all []*peer, do func([]*peer)) {
	g := takeGroup(len(all), 0)
	for _, p := range all {
		g.peers = append(g.peers, p)
	}
	do(g.peers)
	putGroup(g)
}

type groupRight struct{ list []*node }

type node struct{ id int }

var groupsRight = sync.Pool{New: func() any { return new(groupRight) }}

func eachNode(all []*node, do func([]*node)) {
	g := groupsRight.Get().(*groupRight)
	g.list = g.list[:0]
	for _, p := range all {
		g.list = append(g.list, p)
	}
	do(g.list)
	clear(g.list)
	groupsRight.Put(g)
}

// Wrong: the note counts its references, and the pool still has it.
type note struct {
	refs int
	text []byte
}

func (n *note) Retain()  { n.refs++ }
func (n *note) Release() { n.refs-- }

type parcel struct {
	*note
	tries, at int
}

var parcels = sync.Pool{New: func() any { return new(parcel) }}

func (p *parcel) set(n *note, at int) { p.note, p.at = n, at }

func (p *parcel) done() {
	p.tries, p.at = 0, 0
	parcels.Put(p) // want `p, the pooled parcel, still leads to what the last user set in note, which is not cleared although other fields are`
}

func SendParcel(n *note, at int, send func(*parcel)) {
	p := parcels.Get().(*parcel)
	n.Retain()
	p.set(n, at)
	send(p)
	n.Release()
	p.done()
}

// Wrong: what is taken off the list stays behind its length.
type idler struct{ id int }

var idlers = sync.Pool{New: func() any { return new(idler) }}

type idleList struct{ list []*idler }

func (l *idleList) pop() *idler {
	n := len(l.list)
	if n == 0 {
		return idlers.Get().(*idler)
	}
	x := l.list[n-1]
	l.list = l.list[:n-1] // want `list is cut here, but the array behind it still leads to the \*idler that was taken off`
	return x
}

func (l *idleList) push(x *idler) { l.list = append(l.list, x) }

func drop(x *idler) { idlers.Put(x) }

type idler2 struct{ id int }

var idlers2 = sync.Pool{New: func() any { return new(idler2) }}

type idleList2 struct{ list []*idler2 }

func (l *idleList2) pop() *idler2 {
	n := len(l.list)
	if n == 0 {
		return idlers2.Get().(*idler2)
	}
	x := l.list[n-1]
	l.list[n-1] = nil
	l.list = l.list[:n-1]
	return x
}

func (l *idleList2) push(x *idler2) { l.list = append(l.list, x) }

func drop2(x *idler2) { idlers2.Put(x) }
