// SPDX-License-Identifier: BSD-3-Clause

package goroutineuse

import (
	"slices"
	"sync"
	"sync/atomic"
)

// The first entries of a log are in an array of its own: who has them has memory of the log, whatever its field says.

type logEntry struct{ text string }

type entryLog struct {
	mu      sync.Mutex
	entries []logEntry
	done    func(string)
	users   atomic.Int32
	few     [8]logEntry
}

var entryLogs = sync.Pool{New: func() any { return new(entryLog) }}

func newEntryLog(done func(string)) *entryLog {
	l := entryLogs.Get().(*entryLog)
	l.entries, l.done = l.few[:0], done
	l.users.Store(1)
	return l
}

func (l *entryLog) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, logEntry{text})
}

func (l *entryLog) clear() {
	l.entries, l.done = nil, nil
	clear(l.few[:])
}

func tellAll(done func(string), entries []logEntry) {
	for _, e := range entries {
		done(e.text)
	}
}

func (l *entryLog) leave() {
	if l.users.Add(-1) > 0 {
		return
	}
	if len(l.entries) > 0 {
		go tellAll(l.done, l.entries)
	}
	l.clear()
	entryLogs.Put(l) // want `l is put in entryLogs while the goroutine started`
}

func (l *entryLog) end() {
	go tellAll(l.done, l.entries)
	l.clear()
	entryLogs.Put(l) // want `l is put in entryLogs while the goroutine started`
}

func (l *entryLog) endHere() {
	entries, done := l.entries, l.done
	l.clear()
	entryLogs.Put(l)
	tellAll(done, entries) // want `l is read after it was put in entryLogs`
}

// leaveCopy gives the goroutine a copy.
func (l *entryLog) leaveCopy() {
	if l.users.Add(-1) > 0 {
		return
	}
	go tellAll(l.done, slices.Clone(l.entries))
	l.clear()
	entryLogs.Put(l)
}

// leaveMany gives the goroutine what is no longer in the array.
func (l *entryLog) leaveMany() {
	if l.users.Add(-1) > 0 {
		return
	}
	if len(l.entries) > len(l.few) {
		go tellAll(l.done, l.entries)
	}
	l.clear()
	entryLogs.Put(l)
}

// leaveWaiting waits for the goroutine.
func (l *entryLog) leaveWaiting() {
	if l.users.Add(-1) > 0 {
		return
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func(done func(string), entries []logEntry) {
		defer wg.Done()
		tellAll(done, entries)
	}(l.done, l.entries)
	wg.Wait()
	l.clear()
	entryLogs.Put(l)
}

// A log that gets a slice from elsewhere gives that away.
type openLog struct {
	entries []logEntry
	users   atomic.Int32
	few     [8]logEntry
}

var openLogs = sync.Pool{New: func() any { return new(openLog) }}

func newOpenLog(n int) *openLog {
	l := openLogs.Get().(*openLog)
	l.entries = make([]logEntry, 0, n)
	l.users.Store(1)
	return l
}

func (l *openLog) leave(done func(string)) {
	if l.users.Add(-1) > 0 {
		return
	}
	go tellAll(done, l.entries)
	l.entries = nil
	openLogs.Put(l)
}
