package deferred

import (
	"fmt"
	"strings"
	"sync"
)

// A Put that each turn of a loop defers is done once for each when the function returns.

type sheet struct {
	rows  []string
	width int
}

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func takeSheet() *sheet {
	s := sheets.Get().(*sheet)
	s.rows, s.width = s.rows[:0], 0
	return s
}

func (s *sheet) back() { sheets.Put(s) }

func eachRow(list []string, n int) int {
	s := takeSheet()
	if len(list) == 0 {
		s.back()
		return 0
	}
	for range list {
		defer s.back() // want `s is put in sheets a second time`
		s.width += n
	}
	return s.width
}

func eachLine(lines map[int]string) (n int) {
	if len(lines) == 0 {
		return 0
	}
	var s *sheet
	for _, l := range lines {
		s = takeSheet()             // want `s, taken from sheets at line 45, is not put back`
		defer func() { s.back() }() // want `s is put in sheets a second time`
		s.width = len(l)
		n += s.width
	}
	return n
}

func eachWord(text string) (n int) {
	s := takeSheet()
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		if i == 0 {
			defer s.back()
		}
		n += s.width + len(words[i])
	}
	if len(words) == 0 {
		s.back()
	}
	return n
}

func ownInTurn(lines map[int]string) (n int) {
	for _, l := range lines {
		s := takeSheet()
		defer func() { s.back() }()
		s.width = len(l)
		n += s.width
	}
	return n
}

func givenInTurn(lines []string) (n int) {
	var s *sheet
	for _, l := range lines {
		s = takeSheet()
		defer func(s *sheet) { s.back() }(s)
		s.width = len(l)
		n += s.width
	}
	return n
}

func leftAtOnce(lines []string) int {
	for range lines {
		s := takeSheet()
		defer s.back()
		s.width++
		return s.width
	}
	return 0
}

func printed(lines []string) {
	s := takeSheet()
	defer s.back()
	for _, l := range lines {
		defer fmt.Println(s.width, l)
	}
}
