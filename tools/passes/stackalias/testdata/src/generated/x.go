package generated

// The type is of the generated file.
func fieldOf(n int) ([]item, *int) {
	var s []item
	for i := range n {
		s = append(s, item{v: i})
	}
	p := &s[0].v // want `&s\[0\].v may point to a dead stack frame`
	return s, p
}

type own struct{ v int }

func fieldOfOwn(n int) ([]own, *int) {
	var s []own
	for i := range n {
		s = append(s, own{v: i})
	}
	p := &s[0].v // want `&s\[0\].v may point to a dead stack frame`
	return s, p
}

func right(n int) ([]item, *int) {
	s := make([]item, 0, n)
	for i := range n {
		s = append(s, item{v: i})
	}
	p := &s[0].v
	return s, p
}
