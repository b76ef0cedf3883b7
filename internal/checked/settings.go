// SPDX-License-Identifier: BSD-3-Clause

//go:build spare_checked

package checked

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// settings come from the environment: SPARE_CHECKED is a list of words, divided
// by commas, SPARE_GUARD a number.
var settings struct {
	reuse     atomic.Bool  // hand values out again, as a normal build does
	strangers atomic.Bool  // let values that no Get returned be put at any time
	leaks     atomic.Bool  // report values that are collected while out
	guardOnly atomic.Bool  // no registry: only guard pages
	guard     atomic.Int64 // one in so many slices is on guard pages; 0 is none
}

func init() {
	if err := parse(os.Getenv("SPARE_CHECKED"), os.Getenv("SPARE_GUARD"), canGuard); err != nil {
		panic("spare: " + err.Error())
	}
}

func parse(words, guard string, canGuard bool) error {
	for word := range strings.SplitSeq(words, ",") {
		switch strings.TrimSpace(word) {
		case "":
		case "reuse":
			settings.reuse.Store(true)
		case "strangers":
			settings.strangers.Store(true)
		case "leaks":
			settings.leaks.Store(true)
		case "guardonly":
			settings.guardOnly.Store(true)
		default:
			return fmt.Errorf("SPARE_CHECKED: unknown word %q; the words are reuse, strangers, leaks, guardonly", word)
		}
	}
	if guard == "" {
		return nil
	}
	n, err := strconv.ParseInt(guard, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("SPARE_GUARD=%s: want a number N, for one in N slices, or 0 for none", guard)
	}
	if n > 0 && !canGuard {
		return fmt.Errorf("SPARE_GUARD=%s: there are no guard pages on this system, only on linux and darwin", guard)
	}
	settings.guard.Store(n)
	return nil
}

// SetReuse and SetStrangers are for tests of the pools themselves.
func SetReuse(on bool)     { settings.reuse.Store(on) }
func SetStrangers(on bool) { settings.strangers.Store(on) }

// SetLeaks and SetGuard are for tests.
func SetLeaks(on bool) { settings.leaks.Store(on) }
func SetGuard(n int)   { settings.guard.Store(int64(n)) }
