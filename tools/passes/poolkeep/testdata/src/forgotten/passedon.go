package forgotten

import "sync"

// Whether a flag is set may be asked by a function that is given it.

type plot struct {
	points []int
	width  int
	color  bool
	grid   bool
}

var plots sync.Pool

func takePlot() *plot {
	if p, ok := plots.Get().(*plot); ok {
		return p
	}
	return new(plot)
}

func putPlot(p *plot) {
	p.empty()
	plots.Put(p)
}

func (p *plot) empty() { // want `empty resets fields of the pooled plot but not color, which is set in use`
	p.points = p.points[:0]
	p.width = 0
	p.grid = false
}

func (p *plot) SetColor(on bool) { p.color = on }
func (p *plot) SetGrid(on bool)  { p.grid = on }

func pen(b []byte, color bool) []byte { return ink(append(b, '>'), color) }

func ink(b []byte, color bool) []byte {
	if color {
		return append(b, "red"...)
	}
	return append(b, "black"...)
}

func drawPlot(color, grid bool, draw func(*plot) []byte) []byte {
	p := takePlot()
	defer putPlot(p)
	p.points = append(p.points, 1, 2)
	if color {
		p.SetColor(true)
	}
	if grid {
		p.SetGrid(true)
	}
	return draw(p)
}

func (p *plot) strokes(out []byte) []byte {
	if p.grid {
		out = append(out, '#')
	}
	for range p.points {
		out = pen(out, p.color)
	}
	return out
}

// Who takes the value says for each use whether the flag holds, and the flag that is only
// passed to where nobody asks it decides nothing.

type sketch struct {
	points []int
	color  bool
	drawn  bool
}

var sketches = sync.Pool{New: func() any { return new(sketch) }}

func takeSketch(color bool) *sketch {
	s := sketches.Get().(*sketch)
	s.color = false
	if color {
		s.color = true
	}
	return s
}

func putSketch(s *sketch) {
	s.points = s.points[:0]
	sketches.Put(s)
}

func noted(list []bool, b bool) []bool { return append(list, b) }

func drawSketch(color bool, draw func(*sketch) []byte) []byte {
	s := takeSketch(color)
	s.points = append(s.points, 1, 2)
	s.drawn = true
	out := draw(s)
	putSketch(s)
	return out
}

func (s *sketch) strokes(out []byte, list []bool) ([]byte, []bool) {
	for range s.points {
		out = pen(out, s.color)
	}
	return out, noted(list, s.drawn)
}

// Values with the flag set do not go back.

type poster struct {
	points []int
	signed bool
}

var posters = sync.Pool{New: func() any { return new(poster) }}

func putPoster(p *poster) {
	p.points = p.points[:0]
	if !p.signed {
		posters.Put(p)
	}
}

func drawPoster(sign bool, draw func(*poster) []byte) []byte {
	p := posters.Get().(*poster)
	p.points = append(p.points, 1, 2)
	if sign {
		p.signed = true
	}
	out := draw(p)
	putPoster(p)
	return out
}

func (p *poster) strokes(out []byte) []byte {
	for range p.points {
		out = pen(out, p.signed)
	}
	return out
}
