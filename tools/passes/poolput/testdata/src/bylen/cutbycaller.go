package bylen

import "sync"

// Get gives all of a class, and callers cut that.

var (
	steps  = [...]int{128, 2048}
	stairs [2]sync.Pool
)

func takeStair(n int) []byte {
	for i, m := range steps {
		if n <= m {
			if v, ok := stairs[i].Get().(*[]byte); ok {
				return (*v)[:m]
			}
			return make([]byte, m)
		}
	}
	return make([]byte, n)
}

func giveStair(b []byte) {
	for i, m := range steps {
		if len(b) == m { // want `the pool is picked by the length of what is put: a slice that takeStair gave for \d+, with a capacity of 128, is dropped`
			stairs[i].Put(&b) // want `the address of the local`
		}
	}
}

func climb(next func([]byte) int, more func(func())) {
	b := takeStair(100)
	more(func() { b = takeStair(2 * len(b)) })
	giveStair(b[:next(b)])
}
