// SPDX-License-Identifier: BSD-3-Clause

package lostpaths

import (
	"net"
	"sync"
)

type verdict int

const (
	admit verdict = iota
	refuse
	skip
)

var verdicts = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}

func judgeAll(b []byte, judge func([]byte) verdict, out net.Conn) { // right: a case for each
	p := verdicts.Get().(*[]byte)
	n := copy(*p, b)
	switch judge((*p)[:n]) {
	case admit:
		out.Write((*p)[:n])
		verdicts.Put(p)
	case refuse, skip:
		verdicts.Put(p)
	}
}

// Wrong: one of them does not put.
func judgeSome(b []byte, judge func([]byte) verdict, out net.Conn) {
	p := verdicts.Get().(*[]byte) // want `p, taken from verdicts at line \d+, is not put back on the path that ends here \(line 41\)`
	n := copy(*p, b)
	switch judge((*p)[:n]) {
	case admit:
		out.Write((*p)[:n])
		verdicts.Put(p)
	case refuse:
		return
	case skip:
		verdicts.Put(p)
	}
}

// Wrong: numbers that have no names may be any.
func judgeCount(b []byte, out net.Conn) {
	p := verdicts.Get().(*[]byte) // want `p, taken from verdicts at line \d+, is not put back`
	n := copy(*p, b)
	switch n {
	case 1:
		out.Write((*p)[:1])
		verdicts.Put(p)
	case 2:
		out.Write((*p)[:2])
		verdicts.Put(p)
	}
}

// Wrong: what is said to be for all others loses it.
func judgeOthers(b []byte, judge func([]byte) verdict, out net.Conn) {
	p := verdicts.Get().(*[]byte) // want `p, taken from verdicts at line \d+, is not put back`
	n := copy(*p, b)
	switch judge((*p)[:n]) {
	case admit:
		out.Write((*p)[:n])
		verdicts.Put(p)
	case refuse:
		verdicts.Put(p)
	default:
		out.Close()
	}
}

// The same in a goroutine.

func judgeLater(in net.Conn, judge func([]byte) verdict) { // right
	for {
		p := verdicts.Get().(*[]byte)
		n, err := in.Read(*p)
		if err != nil {
			verdicts.Put(p)
			return
		}
		go judgeOne(p, n, judge, in)
	}
}

func judgeOne(p *[]byte, n int, judge func([]byte) verdict, out net.Conn) {
	switch b := (*p)[:n]; judge(b) {
	case admit:
		out.Write(b)
		fallthrough
	case refuse:
		verdicts.Put(p)
	case skip:
		verdicts.Put(p)
	}
}

// Wrong: what is skipped is lost.
func judgeSoon(in net.Conn, judge func([]byte) verdict) {
	for {
		p := verdicts.Get().(*[]byte) // want `p, taken from verdicts at line \d+, is not put back by the goroutine that it is given to \(line \d+\), on the path on which that ends \(line 123\)`
		n, err := in.Read(*p)
		if err != nil {
			verdicts.Put(p)
			return
		}
		go judgeMost(p, n, judge, in)
	}
}

func judgeMost(p *[]byte, n int, judge func([]byte) verdict, out net.Conn) {
	switch b := (*p)[:n]; judge(b) {
	case admit:
		verdicts.Put(p)
		out.Close()
	case refuse:
		verdicts.Put(p)
	case skip:
		return
	}
}
