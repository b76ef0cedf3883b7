package a

import "sync"

var p sync.Pool

func silenced(b []byte) {
	p.Put(b) //spare:ignore put-by-value measured: the pool is cold
	//spare:ignore put-by-value measured: the pool is cold
	p.Put(b)
}

func idle(m map[int]int) {
	/* want `this ignore comment silences nothing: there is no put-by-value on the next line$` */ //spare:ignore put-by-value it once was a slice
	p.Put(m)
}

func other(b []byte, m map[int]int) {
	p.Put(m) /* want `this ignore comment silences nothing: there is no double-put on this line$` */ //spare:ignore double-put another pattern
}

func unknown(m map[int]int) {
	/* want `names no pattern that spare vet knows: put-twice` */ //spare:ignore put-twice no such pattern
	p.Put(m)
}

func noReason(b []byte) {
	/* want `this ignore comment gives no reason` */ //spare:ignore put-by-value
	p.Put(b)
}

func noName(m map[int]int) {
	/* want `this ignore comment names no pattern` */ //spare:ignore
	p.Put(m)
}
