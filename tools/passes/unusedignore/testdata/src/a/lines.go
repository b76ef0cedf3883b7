package a

// A comment at the end of a line is about that line, and not about the next.
func atEnd(b []byte) {
	p.Put(b) //spare:ignore put-by-value measured: the pool is cold
	p.Put(b)
	_ = b /* want `silences nothing: there is no put-by-value on this line$` */ //spare:ignore put-by-value it is on the next line
	p.Put(b)
	if len(b) > 0 { /* want `silences nothing: there is no put-by-value on this line$` */ //spare:ignore put-by-value it is on the next line
		p.Put(b)
	} /* want `silences nothing: there is no put-by-value on this line$` */ //spare:ignore put-by-value it is on the next line
	p.Put(b)
}

// One that is alone on its line is about the next line, and not about the one after it.
func above(b []byte) {
	//spare:ignore put-by-value measured: the pool is cold
	p.Put(b)
	p.Put(b)
	/* want `silences nothing: there is no put-by-value on the next line$` */ //spare:ignore put-by-value an empty line follows

	p.Put(b)
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
	p.Put(
		b, /* want `silences nothing: there is no put-by-value on this line$` */ //spare:ignore put-by-value the report is above
	)
	p.Put(
		b,
	) /* want `silences nothing: there is no put-by-value on this line$` */ //spare:ignore put-by-value the report is above
	p.Put(append(b, `
`...)) /* want `silences nothing: there is no put-by-value on this line$` */ //spare:ignore put-by-value the text ends on this line
	p.Put(b)
}
