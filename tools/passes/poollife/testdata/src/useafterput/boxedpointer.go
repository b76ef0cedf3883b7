// SPDX-License-Identifier: BSD-3-Clause

package useafterput

import "sync"

// A pointer to a slice that goes to the pool in a new box.

type noteBox struct{ text *[]byte }

var noteBoxes = sync.Pool{New: func() any { return &noteBox{text: new([]byte)} }}

type notes struct{ text *[]byte }

func (n *notes) flush(b byte) int {
	noteBoxes.Put(&noteBox{n.text})
	*n.text = append(*n.text, b) // want `is written after it was put in noteBoxes`
	return 1
}

// Right: used before, and set to what another box has.
func (n *notes) turn(b byte) {
	*n.text = append((*n.text)[:0], b)
	noteBoxes.Put(&noteBox{n.text})
	n.text = noteBoxes.Get().(*noteBox).text
	*n.text = append((*n.text)[:0], b)
}

// Right: the box gets a copy.
func (n *notes) share(b byte) {
	text := append([]byte(nil), *n.text...)
	noteBoxes.Put(&noteBox{&text})
	*n.text = append(*n.text, b)
}
