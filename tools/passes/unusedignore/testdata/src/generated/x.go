package generated

func idle(m map[int]int) {
	/* want `this ignore comment silences nothing` */ //spare:ignore put-by-value it once was a slice
	p.Put(m)
}

func unknown(m map[int]int) {
	/* want `names no pattern that spare vet knows: put-twice` */ //spare:ignore put-twice no such pattern
	p.Put(m)
}

// What it silences is wrong through functions of the generated file.
func silenced() {
	x := take()
	give(x)
	give(x) //spare:ignore double-put shown to newcomers
}

// What is wrong behind the call is silent already.
func nothing(m map[int]int) {
	/* want `this ignore comment silences nothing` */ //spare:ignore missing-put the generated file has it
	genIdle(m)
}
