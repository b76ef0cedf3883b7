// Package grow has slices that append takes larger arrays for than make gave them.
package grow

//go:noinline
func Outgrown(n int) int {
	b := make([]byte, 0, 1000) // outgrown
	for i := range n {
		b = append(b, byte(i))
	}
	return sum(b)
}

// Tail is called with one length in twenty that is not a usual one.
//
//go:noinline
func Tail(n int) int {
	b := make([]byte, 0, 1000) // tail
	for i := range n {
		b = append(b, byte(i))
	}
	return sum(b)
}

//go:noinline
func Mixed(n int) int {
	b := make([]byte, 0, n) // mixed
	for i := range n + n/4 {
		b = append(b, byte(i))
	}
	return sum(b)
}

//go:noinline
func Longer(n int) int {
	b := make([]byte, n)                    // longer
	b = append(b, "a few more of these"...) // appended
	return sum(b)
}

//go:noinline
func Fits(n int) int {
	b := make([]byte, 0, n) // fits
	for i := range n {
		b = append(b, byte(i))
	}
	return sum(b)
}

// Shown shows its capacity, so that only what make gives can come from a pool.
//
//go:noinline
func Shown(n int) int {
	b := make([]byte, 0, n) // shown
	for i := range 2 * n {
		b = append(b, byte(i))
	}
	return sum(b) + cap(b)
}

// Replaced lets its array go before its end, with the same result.
//
//go:noinline
func Replaced(n int) int {
	b := make([]byte, 0, n) // replaced
	for i := range 2 * n {
		b = append(b, byte(i))
	}
	s := sum(b)
	b = nil
	return s + len(b)
}

func sum(b []byte) (s int) {
	for _, c := range b {
		s += int(c)
	}
	return s
}
