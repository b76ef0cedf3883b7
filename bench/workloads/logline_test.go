// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

var logLines = trio[logLine]{logLineNaive, logLineSyncPool, logLineSpare}

const (
	logKey   = "this_path"
	logValue = "/test?q=query&format=json&groupid=100001&area=200000001"
)

var logTime = time.Date(2026, 11, 21, 8, 30, 15, 0, time.UTC)

func TestLogLine(t *testing.T) {
	type line struct{ at, key, value string }
	prove(t, logLines, proof[logLine, line, *lateWriter]{
		inputs: []line{
			{"2026-11-21T08:30:15Z", logKey, logValue},
			{"1999-12-31T23:59:59+05:30", "k", "v"},
			{"2026-11-21T08:30:16-08:00", logKey, strings.Repeat("0123456789", 100)},
			{"2000-01-01T00:00:00Z", "", ""},
		},
		run: func(job logLine, in line) (*lateWriter, error) {
			at, err := time.Parse(time.RFC3339, in.at)
			if err != nil {
				return nil, err
			}
			w := new(lateWriter)
			return w, job(w, at, in.key, in.value)
		},
		show: func(w *lateWriter) string { return fmt.Sprintf("%d write: %s", w.writes, w.got) },
		want: func(in line) string { return fmt.Sprintf("1 write: %s %s=%s", in.at, in.key, in.value) },
	})
}

// brokenWriter fails each Write.
type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestLogLineWriteError(t *testing.T) {
	for impl, job := range logLines.all() {
		if err := job(brokenWriter{}, logTime, logKey, logValue); err != errBroken {
			t.Errorf("%s: got %v, want %v", impl, err, errBroken)
		}
	}
}

func BenchmarkLogLine(b *testing.B) {
	compare(b, logLines, func(b *testing.B, job logLine) {
		for b.Loop() {
			if err := job(io.Discard, logTime, logKey, logValue); err != nil {
				b.Fatal(err)
			}
		}
	})
}
