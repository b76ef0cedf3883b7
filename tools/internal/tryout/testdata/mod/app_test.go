package app

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

var value = strings.Repeat("x", 4000)

func TestLine(t *testing.T) {
	var got bytes.Buffer
	if err := Line(&got, "k", value); err != nil || got.String() != "k="+value+"\n" {
		t.Fatalf("got %q, %v", got.String(), err)
	}
}

// TestSlow waits for whoever interrupts it, when it is told to.
func TestSlow(t *testing.T) {
	if mark := os.Getenv("APP_TEST_SLOW"); mark != "" {
		os.WriteFile(mark, nil, 0o666)
		time.Sleep(time.Minute)
	}
}

// TestBroken fails with and without any change.
func TestBroken(t *testing.T) {
	if os.Getenv("APP_TEST_BROKEN") != "" {
		t.Error("broken in any case")
	}
}

func BenchmarkLine(b *testing.B) {
	for b.Loop() {
		Line(io.Discard, "k", value)
	}
}
