// Package runner runs units on goroutines of its own.
package runner

type Unit interface{ Do() }

var units = make(chan Unit)

func Schedule(u Unit) { units <- u }

func Run() {
	for u := range units {
		u.Do()
	}
}
