// Package backlinks gives values back that know the pool which they came from.
package backlinks

import (
	"sync"

	"backlinks/pools"
)

var bufs pools.Pool

func ofPointer() int {
	b := bufs.Get()
	defer b.Free()
	return len(b.B)
}

var zbufs = pools.NewZ()

func ofValue() int {
	b := zbufs.Get()
	defer b.Free()
	return len(b.B)
}

var home sync.Pool

func ofCaller() int {
	b := pools.GetH(&home)
	defer b.Release()
	return len(b.B)
}

var leases pools.LPool[int]

func ofLease() int {
	l := leases.Get()
	defer l.Done()
	return l.V
}

func ofPackage() int {
	b := pools.GetSmall()
	defer pools.PutSmall(b)
	return len(b.B)
}

// Wrong: two variables are two pools.
func toOther() int {
	b := pools.GetSmall()
	defer pools.PutLarge(b) // want `b was taken from small but is put in large`
	return len(b.B)
}
