package a

func tabs(b []byte, m map[int]int) {
	p.Put(b) //spare:ignore	put-by-value	measured: the pool is cold
	p.Put(b) //spare:ignore 	put-by-value 	 measured: the pool is cold
	p.Put(b) //spare:ignore put-by-value measured: the pool is cold
	p.Put(m) /* want `there is no put-by-value on this line$` */ //spare:ignore	put-by-value	it once was a slice
	p.Put(m) //spare:ignored is no ignore comment
}

func ofItself(m map[int]int) {
	p.Put(m) /* want `silences nothing: unused-ignore cannot be silenced by a comment; .*-skip unused-ignore$` */ //spare:ignore unused-ignore the next comment is to stay
}

func two(b []byte, m map[int]int) {
	p.Put(m) /* want `names more than one pattern, and silences none` */ //spare:ignore use-after-put,double-put the pool is a test's
	p.Put(m) /* want `names more than one pattern, and silences none` */ //spare:ignore use-after-put, double-put the pool is a test's
	//spare:ignore put-by-value measured: the pool is cold
	p.Put(b) /* want `there is no double-put on this line$` */ //spare:ignore double-put this comment and the one above are about one line
}
