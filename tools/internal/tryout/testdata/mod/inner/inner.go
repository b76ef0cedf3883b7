// Package inner depends on nothing.
package inner

// Double doubles.
func Double(n int) int { return 2 * n }
