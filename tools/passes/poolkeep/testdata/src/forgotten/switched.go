// SPDX-License-Identifier: BSD-3-Clause

package forgotten

import (
	"fmt"
	"io"
	"sync"
)

// A switch that its method turns on for whoever likes: that the only user in view likes says nothing of others.

type bulletin struct {
	text  []byte
	out   io.Writer
	loud  bool
	trace bool
}

var bulletins = sync.Pool{New: func() any { return new(bulletin) }}

func newBulletin(out io.Writer) *bulletin { // want `newBulletin resets fields of the pooled bulletin but not loud`
	b := bulletins.Get().(*bulletin)
	b.text = b.text[:0]
	b.out = out
	return b
}

func (b *bulletin) Loud() *bulletin {
	b.loud = true
	return b
}

// traced is for the package alone, where all call it.
func (b *bulletin) traced() *bulletin {
	b.trace = true
	return b
}

func (b *bulletin) Say(what string) {
	b.text = append(b.text, what...)
	if b.loud {
		b.text = append(b.text, '!')
	}
	if b.trace {
		b.text = fmt.Appendf(b.text, " (%p)", b)
	}
	b.out.Write(b.text)
	if cap(b.text) < 1<<10 {
		bulletins.Put(b)
	}
}

func alarm(out io.Writer) { newBulletin(out).traced().Loud().Say("fire") }
