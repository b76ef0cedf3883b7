package generated

func byValue(b []int) { rows.Put(b) } // want `boxing it allocates on every Put` `b, a \[\]int, is put in rows, but its New makes \*\[\]int`

func local() {
	b := *rows.Get().(*[]int)
	rows.Put(&b) // want `the address of the local variable b is put in rows`
}

func null(ok bool) {
	var p *[]int
	if ok {
		p = rows.Get().(*[]int)
	}
	rows.Put(p) // want `nil`
}

func otherType() { small.Put(new(int)) } // want `a \*int is put in small`

func stale(n int) {
	p := rows.Get().(*[]int)
	b := append((*p)[:0], n)
	_ = b[0]
	rows.Put(p) // want `the grown slice is not stored back before the Put`
}

// Out of a wrapper of the generated file, into another pool.
func wrongPool() {
	large.Put(takeSmall()) // want `taken from small but is put in large` `a \*\[64\]byte is put in large`
}

func right() {
	b := takeSmall()
	giveAny(b)
}
