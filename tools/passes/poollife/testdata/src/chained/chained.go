// SPDX-License-Identifier: BSD-3-Clause

// Package chained works on pooled numbers of math/big, whose methods give back their receiver.
package chained

import (
	"math/big"
	"sync"
)

var ints = sync.Pool{New: func() any { return new(big.Int) }}

// Wrong: the product is the pooled number itself.
func product(x, y *big.Int) *big.Int {
	z := ints.Get().(*big.Int)
	p := z.Mul(x, y)
	ints.Put(z)
	return p // want `z is returned after it was put in ints`
}

// Wrong: so is the last of a chain, in a list.
func products(xs []int64) *big.Int {
	var list []*big.Int
	for _, x := range xs {
		z := ints.Get().(*big.Int).SetInt64(x)
		list = append(list, z.Add(z, z))
		ints.Put(z)
	}
	if len(list) == 0 {
		return nil
	}
	sum := list[0]
	for i := 1; i < len(list); i++ {
		sum = sum.Add(sum, list[i]) // want `z is used by Add after it was put in ints`
	}
	return sum
}

// Right: what the chain gives is what is put.
func bits(x int64) int {
	z := ints.Get().(*big.Int).SetInt64(x)
	n := z.Mul(z, z).BitLen()
	ints.Put(z)
	return n
}

// Right: the result is another's number.
func sum(x, y *big.Int) *big.Int {
	z := ints.Get().(*big.Int)
	p := new(big.Int).Add(x, z.Neg(y))
	ints.Put(z)
	return p
}

// Right: a number in the pooled one's stead.
func quotient(x, y *big.Rat) string {
	z := new(big.Rat).Quo(x, y)
	return z.String()
}
