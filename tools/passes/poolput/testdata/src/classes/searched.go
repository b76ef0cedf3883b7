package classes

import (
	"slices"
	"sort"
	"sync"
)

// Classes that are searched in a table.

var widths = []int{64, 256, 1024, 4096}

var byWidth [4]sync.Pool

func widthClass(n int) int {
	return sort.Search(len(widths), func(k int) bool { return widths[k] >= n })
}

func GetWidth(n int) []byte {
	k := widthClass(n)
	if k == len(widths) {
		return make([]byte, n)
	}
	if b, ok := byWidth[k].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, widths[k])
}

func PutWidth(b *[]byte) {
	if k := widthClass(cap(*b)); k < len(widths) {
		byWidth[k].Put(b) // want `a slice with a capacity of \d+ goes to a pool from which GetWidth takes slices for up to`
	}
}

var byDepth [4]sync.Pool

func GetDepth(n int) []byte {
	k, _ := slices.BinarySearch(widths, n)
	if k == len(widths) {
		return make([]byte, n)
	}
	if b, ok := byDepth[k].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, widths[k])
}

func PutDepth(b *[]byte) {
	if k, _ := slices.BinarySearch(widths, cap(*b)); k < len(widths) {
		byDepth[k].Put(b) // want `a slice with a capacity of \d+ goes to a pool from which GetDepth takes slices for up to`
	}
}

var byHeight [4]sync.Pool

func GetHeight(n int) []byte {
	k := sort.SearchInts(widths, n)
	if k == len(widths) {
		return make([]byte, n)
	}
	if b, ok := byHeight[k].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, widths[k])
}

func PutHeight(b *[]byte) {
	if k := sort.SearchInts(widths, cap(*b)); k < len(widths) {
		byHeight[k].Put(b) // want `a slice with a capacity of \d+ goes to a pool from which GetHeight takes slices for up to`
	}
}

// Right: only what is as large as its class.
var byFit [4]sync.Pool

func GetFit(n int) []byte {
	k := widthClass(n)
	if k == len(widths) {
		return make([]byte, n)
	}
	if b, ok := byFit[k].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, widths[k])
}

func PutFit(b *[]byte) {
	if k, same := slices.BinarySearch(widths, cap(*b)); same {
		byFit[k].Put(b)
	}
}
