// Package silenced has ignore comments; what they leave is reported.
package silenced

import "sync"

var p sync.Pool

// A comment at the end of a line is about that line, and not about the next.
func atEnd(b []byte) {
	p.Put(b)        //spare:ignore put-by-value measured: the pool is cold
	p.Put(b)        // want `a \[\]byte`
	_ = b           //spare:ignore put-by-value it is on the next line
	p.Put(b)        // want `a \[\]byte`
	if len(b) > 0 { //spare:ignore put-by-value it is on the next line
		p.Put(b) // want `a \[\]byte`
	} //spare:ignore put-by-value it is on the next line
	p.Put(b) // want `a \[\]byte`
}

// One that is alone on its line is about the next line, and not about the one after it.
func above(b []byte) {
	//spare:ignore put-by-value measured: the pool is cold
	p.Put(b)
	p.Put(b) // want `a \[\]byte`
	//spare:ignore put-by-value an empty line follows

	p.Put(b) // want `a \[\]byte`
}

// Of a statement on several lines it is the line of the report that counts.
func several(b []byte) {
	p.Put( //spare:ignore put-by-value measured: the pool is cold
		b,
	)
	//spare:ignore put-by-value measured: the pool is cold
	p.Put(
		b,
	)
	p.Put( // want `a \[\]byte`
		b, //spare:ignore put-by-value the report is above
	)
	p.Put( // want `a \[\]byte`
		b,
	) //spare:ignore put-by-value the report is above
	p.Put(append(b /* want `a \[\]byte` */, `
`...)) //spare:ignore put-by-value the text ends on this line
	p.Put(b) // want `a \[\]byte`
}
