package partly

import (
	"encoding/json"
	"io"
	"sync"
)

// Wrong: the method that would empty it is there, and nobody calls it.
type wire struct {
	Src, Dst  string
	Direction int
	HTTP      []byte
}

func (w *wire) Reset() { *w = wire{} }

var wires = sync.Pool{New: func() any { return new(wire) }}

func wireOf(src, dst string, in bool, blobs map[string][]byte) *wire {
	w := wires.Get().(*wire)
	w.Src, w.Dst = src, dst
	if in {
		w.Direction = 1
	} else {
		w.Direction = 2
	}
	if b, ok := blobs[src]; ok {
		w.HTTP = b // want `field HTTP of the wire from a pool is set only where it applies`
	}
	return w
}

func encodeWires(to io.Writer, pairs [][2]string, blobs map[string][]byte) error {
	var list []*wire
	for _, p := range pairs {
		list = append(list, wireOf(p[0], p[1], false, blobs))
	}
	err := json.NewEncoder(to).Encode(list)
	for _, w := range list {
		wires.Put(w)
	}
	return err
}

// Right: it is called through an interface.
type cable struct {
	Src, Dst string
	HTTP     []byte
}

func (c *cable) Reset() { *c = cable{} }

var cables = sync.Pool{New: func() any { return new(cable) }}

func cableOf(src, dst string, blobs map[string][]byte) *cable {
	c := cables.Get().(*cable)
	c.Src, c.Dst = src, dst
	if b, ok := blobs[src]; ok {
		c.HTTP = b
	}
	return c
}

func empty(r interface{ Reset() }) { r.Reset() }

func encodeCable(to io.Writer, src, dst string, blobs map[string][]byte) error {
	c := cableOf(src, dst, blobs)
	err := json.NewEncoder(to).Encode(c)
	empty(c)
	cables.Put(c)
	return err
}

// Wrong: a kind goes with the field, but it is the field itself that is asked.
type packet struct {
	kind   uint8
	status uint16
	bucket uint16
	value  []byte
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func release(p *packet) {
	p.value = nil
	packets.Put(p)
}

func readPacket(head []byte, value []byte) *packet {
	p := packets.Get().(*packet)
	switch head[0] {
	case 0x80:
		p.kind = 0x80
		p.bucket = uint16(head[1])
	case 0x81:
		p.kind = 0x81
		p.status = uint16(head[1]) // want `field status of the packet from a pool is set only where it applies`
	default:
		release(p)
		return nil
	}
	p.value = value
	return p
}

func resolve(p *packet, end func(uint16), row func([]byte)) {
	if p.status != 0 {
		end(p.status)
	} else {
		row(p.value)
	}
	release(p)
}

// Right: who asks the field is called where the kind was asked.
type parcel struct {
	kind   uint8
	status uint16
	bucket uint16
	value  []byte
}

var parcels = sync.Pool{New: func() any { return new(parcel) }}

func readParcel(head []byte, value []byte) *parcel {
	p := parcels.Get().(*parcel)
	switch head[0] {
	case 0x81:
		p.kind = 0x81
		p.status = uint16(head[1])
	default:
		p.kind = 0x80
		p.bucket = uint16(head[1])
	}
	p.value = value
	return p
}

func answered(p *parcel, end func(uint16), row func([]byte)) {
	if p.status != 0 {
		end(p.status)
	} else {
		row(p.value)
	}
}

func deliver(p *parcel, end func(uint16), row func([]byte)) {
	if p.kind == 0x81 {
		answered(p, end, row)
	}
	p.value = nil
	parcels.Put(p)
}
