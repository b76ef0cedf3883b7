package leftover

import "sync"

// What is remembered is worked out by a function of its own.

type guide struct {
	lang  string
	known map[int]string
}

var guides = sync.Pool{New: func() any { return &guide{known: map[int]string{}} }}

func (g *guide) title(room int) string {
	if s, ok := g.known[room]; ok {
		return s
	}
	s := g.spell(room)
	g.known[room] = s
	return s
}

func (g *guide) spell(room int) string { return g.lang + string(rune('a'+room)) }

func guideTo(lang string, room int) string {
	g := guides.Get().(*guide)
	defer guides.Put(g) // want `the pooled guide keeps in known what was worked out with lang`
	g.lang = lang
	return g.title(room)
}

// Right: the language is asked for what is not remembered only.
type porter struct {
	lang  string
	known map[int]string
}

var porters = sync.Pool{New: func() any { return &porter{known: map[int]string{}} }}

func (p *porter) greeting(room int) string {
	s, ok := p.known[room]
	if !ok {
		s = string(rune('a' + room))
		p.known[room] = s
	}
	return p.spell(s)
}

func (p *porter) spell(s string) string { return p.lang + s }

func porterTo(lang string, room int) string {
	p := porters.Get().(*porter)
	defer porters.Put(p)
	p.lang = lang
	return p.greeting(room)
}
