package a

import "sync"

type packet struct{ data [64]byte }

type sockets struct {
	v4Packets sync.Pool
	v6Packets sync.Pool

	udpPackets sync.Pool
	tcpPackets sync.Pool
}

func newSockets() *sockets {
	return &sockets{
		v4Packets:  sync.Pool{New: func() any { return new(packet) }},
		v6Packets:  sync.Pool{New: func() any { return new(packet) }},
		udpPackets: sync.Pool{New: func() any { return new(packet) }},
	}
}

func (s *sockets) receiveV4(read func([]byte)) {
	p := s.v4Packets.Get().(*packet)
	defer s.v4Packets.Put(p)
	read(p.data[:])
}

func (s *sockets) receiveV6(read func([]byte)) {
	p := s.v4Packets.Get().(*packet) // want `receiveV6 takes a value from v4Packets, and nothing uses v6Packets`
	defer s.v4Packets.Put(p)
	read(p.data[:])
}

// Which pool serves both is no matter of their names.
func (s *sockets) receiveAll(read func([]byte)) {
	p := s.udpPackets.Get().(*packet)
	defer s.udpPackets.Put(p)
	read(p.data[:])
}

func (s *sockets) receiveTCP(read func([]byte)) {
	p := s.udpPackets.Get().(*packet)
	defer s.udpPackets.Put(p)
	read(p.data[:])
}
