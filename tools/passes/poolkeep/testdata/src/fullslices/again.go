// SPDX-License-Identifier: BSD-3-Clause

package fullslices

import "sync"

// Rows of the last block are used again one by one, as far as there are any.

var blocks, rows sync.Pool

func parseRows(next func() []string, out chan<- [][]string) {
	old, _ := blocks.Get().([][]string)
	all := old[:0]
	for line := next(); line != nil; line = next() {
		var row []string
		if len(old) > len(all) {
			row = old[len(all)]
		}
		row = append(row[:0], line...)
		all = append(all, row)
	}
	out <- all
}

func parsedRows(in <-chan [][]string, f func([]string)) {
	for b := range in {
		for _, row := range b {
			f(row)
		}
		blocks.Put(b) // want `blocks keeps b, put at line 30, whatever its size`
	}
}

// These are not: only the memory that is theirs is.

type pair struct {
	key  string
	vals []int
}

func pairs(next func() (pair, bool), out chan<- []pair) {
	old, _ := rows.Get().([]pair)
	all := old[:0]
	for p, ok := next(); ok; p, ok = next() {
		all = append(all, p)
	}
	out <- all
}

func paired(in <-chan []pair, f func(pair)) {
	for b := range in {
		for _, p := range b {
			f(p)
		}
		rows.Put(b) // want `rows keeps b, put at line 55, whatever its size` `nothing in the package clears slices of pair`
	}
}
