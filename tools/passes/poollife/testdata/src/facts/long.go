package facts

import "facts/lib"

// What a method that was too much to follow was given, it may have put.
func sent() {
	lib.NewEvent().Count(1).Send()
}

func dropped() {
	lib.NewEvent().Count(1).Drop() // want `the value taken from events is not put back`
}
