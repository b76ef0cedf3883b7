package a

// What wastes time or memory only is not reported in a test, and what corrupts is.
func inTest(b []byte) {
	p.Put(b) /* want `silences nothing: put-by-value is not reported in _test.go files$` */ //spare:ignore put-by-value measured: the pool is cold
	p.Put(b) /* want `silences nothing: put-by-value is not reported in _test.go files$` */ //spare:ignore put-by-value
	p.Put(b) /* want `there is no put-nil on this line$` */                                 //spare:ignore put-nil it is not nil
	q := p   //spare:ignore pool-copied nobody uses the copy
	_ = &q
}
