package lostvalues

import "sync"

// Code out of view that is given the map of a struct does not have the struct.

type profile struct {
	name   string
	fields map[string]any
	peers  map[string]*profile
}

var profiles = sync.Pool{New: func() any { return &profile{fields: map[string]any{}} }}

func (p *profile) free() {
	p.name, p.peers = "", nil
	clear(p.fields)
	profiles.Put(p)
}

type directory struct {
	fill   func(name string, fields map[string]any) error
	relate func(name string, peers map[string]*profile) error
}

func (d *directory) lookup(name string) (*profile, error) {
	p := profiles.Get().(*profile)
	p.name = name
	if err := d.fill(name, p.fields); err != nil {
		p.free()
		return nil, err
	}
	return p, nil
}

func (d *directory) admits(name string) bool {
	p, err := d.lookup(name) // want `not put back on any path`
	if err != nil {
		return false
	}
	admitted, _ := p.fields["admitted"].(bool)
	return admitted
}

func (d *directory) admitsRight(name string) bool {
	p, err := d.lookup(name)
	if err != nil {
		return false
	}
	defer p.free()
	admitted, _ := p.fields["admitted"].(bool)
	return admitted
}

// Its entries may lead back to it.
func (d *directory) count(name string) int {
	p := profiles.Get().(*profile)
	p.name = name
	if d.relate(name, p.peers) != nil {
		return 0
	}
	return len(p.peers)
}

// The one who is given the profile itself may have it.
func (d *directory) hand(name string, to func(*profile)) {
	p, err := d.lookup(name)
	if err != nil {
		return
	}
	to(p)
}
