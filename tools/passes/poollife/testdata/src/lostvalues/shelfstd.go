// SPDX-License-Identifier: BSD-3-Clause

package lostvalues

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"
	"sync"
)

// Generic functions of the standard library do not take over what they are given.

type feed struct {
	in   *bufio.Reader
	head string
	done bool
}

var feedReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func openFeed(r io.Reader) *feed {
	in := feedReaders.Get().(*bufio.Reader)
	in.Reset(r)
	return &feed{in: in}
}

func (f *feed) next() error {
	line, err := f.in.ReadString('\n')
	f.head, f.done = line, err == io.EOF
	return err
}

func (f *feed) Close() {
	if f.in != nil {
		f.in.Reset(nil)
		feedReaders.Put(f.in)
		f.in = nil
	}
}

func mergeLost(dst io.StringWriter, srcs ...io.Reader) error {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src)) // want `not put back on any path`
	}
	for {
		feeds = slices.DeleteFunc(feeds, func(f *feed) bool { return f.done })
		if len(feeds) == 0 {
			return nil
		}
		least := slices.MinFunc(feeds, func(a, b *feed) int { return cmp.Compare(a.head, b.head) })
		if _, err := dst.WriteString(least.head); err != nil {
			return err
		}
		if err := least.next(); err != nil {
			return err
		}
	}
}

func longestLost(srcs map[string]io.Reader) string {
	feeds := map[string]*feed{}
	for name, src := range srcs {
		feeds[name] = openFeed(src) // want `not put back on any path`
	}
	best := ""
	for _, f := range feeds {
		_ = f.next()
		best = slices.MaxFunc([]string{best, f.head}, strings.Compare)
	}
	return best
}

func mergeRight(dst io.StringWriter, srcs ...io.Reader) error {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src))
	}
	all := slices.Clone(feeds)
	defer func() {
		for _, f := range all {
			f.Close()
		}
	}()
	for len(feeds) > 0 {
		feeds = slices.DeleteFunc(feeds, func(f *feed) bool { return f.done })
		for _, f := range feeds {
			if err := f.next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// The function that is given puts them.
func mergeDeletes(srcs ...io.Reader) int {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src))
	}
	n := 0
	for len(feeds) > 0 {
		feeds = slices.DeleteFunc(feeds, func(f *feed) bool {
			if f.next() != nil {
				f.Close()
				return true
			}
			n++
			return false
		})
	}
	return n
}

func closed(f *feed) bool {
	f.Close()
	return true
}

func mergeNamed(srcs ...io.Reader) {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src))
	}
	slices.DeleteFunc(feeds, closed)
}

// The values come by another way.
func overSeq(srcs ...io.Reader) {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src))
	}
	for f := range slices.Values(feeds) {
		_ = f.next()
		f.Close()
	}
}

func closesLeast(srcs ...io.Reader) {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src))
	}
	for range srcs {
		least := slices.MinFunc(feeds, func(a, b *feed) int { return cmp.Compare(a.head, b.head) })
		least.Close()
	}
}

func closesJoined(srcs ...io.Reader) {
	var feeds []*feed
	for _, src := range srcs {
		feeds = append(feeds, openFeed(src))
	}
	for _, f := range slices.Concat(feeds, nil) {
		f.Close()
	}
}
