package a

import "sync"

type packet struct{ data [64]byte }

type sockets struct {
	v4Packets sync.Pool
	v6Packets sync.Pool
}

func newSockets() *sockets {
	return &sockets{
		v4Packets: sync.Pool{New: func() any { return new(packet) }},
		v6Packets: sync.Pool{New: func() any { return new(packet) }},
	}
}

func (s *sockets) receiveV4(read func([]byte)) {
	p := s.v4Packets.Get().(*packet)
	defer s.v4Packets.Put(p)
	read(p.data[:])
}

func (s *sockets) receiveV6(read func([]byte)) {
	p := s.v4Packets.Get().(*packet) // want `receiveV6 takes a value from v4Packets, as receiveV4 does, and nothing uses v6Packets`
	defer s.v4Packets.Put(p)
	read(p.data[:])
}

// One pool for both, and none that is left over.
type streams struct{ udpPackets, spare sync.Pool }

func newStreams() *streams {
	return &streams{udpPackets: sync.Pool{New: func() any { return new(packet) }}}
}

func (s *streams) receiveUDP(read func([]byte)) {
	p := s.udpPackets.Get().(*packet)
	defer s.udpPackets.Put(p)
	read(p.data[:])
}

func (s *streams) receiveTCP(read func([]byte)) {
	p := s.udpPackets.Get().(*packet)
	defer s.udpPackets.Put(p)
	read(p.data[:])
}

// What does something else may well use the same pool.
type links struct{ packets, frames sync.Pool }

func newLinks() *links {
	return &links{
		packets: sync.Pool{New: func() any { return new(packet) }},
		frames:  sync.Pool{New: func() any { return new(packet) }},
	}
}

func (l *links) readFirst(read func([]byte)) {
	p := l.packets.Get().(*packet)
	defer l.packets.Put(p)
	read(p.data[:])
}

func (l *links) readAll(read func([]byte)) {
	p := l.packets.Get().(*packet)
	defer l.packets.Put(p)
	for k := range p.data {
		read(p.data[k:])
	}
}
