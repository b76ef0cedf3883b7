// SPDX-License-Identifier: BSD-3-Clause

package storealias

import "sync"

// Slices without room are copied by append, wherever they begin.

type point struct{ at, v int }

type line struct {
	name   []byte
	points []point
}

type drawing struct {
	lines  []line
	points []point
}

func (d *drawing) reset() {
	clear(d.lines)
	d.lines = d.lines[:0]
	clear(d.points)
	d.points = d.points[:0]
}

var drawings sync.Pool

func takeDrawing() *drawing {
	v := drawings.Get()
	if v == nil {
		return &drawing{}
	}
	return v.(*drawing)
}

func giveDrawing(d *drawing) {
	d.reset()
	drawings.Put(d)
}

type sheet struct{ in []int }

func (s *sheet) with(f func([]int)) { f(s.in) }

func (s *sheet) draw(use func([]line)) {
	s.with(func(in []int) {
		d := takeDrawing()
		lines, points := d.lines, d.points
		for i, v := range in {
			n := len(points)
			points = append(points, point{i, v})
			lines = append(lines, line{points: points[n:]})
		}
		use(lines)
		d.lines, d.points = lines, points
		giveDrawing(d)
	})
}

func copied(s *sheet) int {
	var all []line
	s.draw(func(lines []line) {
		for _, l := range lines {
			all = append(all, line{
				name:   append(l.name[:0:0], l.name...),
				points: append(l.points[:0:0], l.points...),
			})
		}
	})
	return len(all)
}

func copiedWhole(s *sheet) int {
	var all []line
	s.draw(func(lines []line) {
		for _, l := range lines {
			all = append(all, line{points: append(l.points[:len(l.points):len(l.points)], point{})})
		}
	})
	return len(all)
}

// This one has all the room that there is.
func (k *keeper) notCopied() {
	d := takeDrawing()
	k.all = append(d.points[1:1:cap(d.points)], point{}) // want `field all keeps memory of d`
	giveDrawing(d)
}

func (k *keeper) copied() {
	d := takeDrawing()
	k.all = append(d.points[1:1:1], point{})
	giveDrawing(d)
}

type keeper struct{ all []point }
