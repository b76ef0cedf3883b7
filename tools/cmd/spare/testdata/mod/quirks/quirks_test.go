package quirks

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
)

var (
	useBytes = func([]byte) {}
	useState = func(*state) {}
	useBoth  = func([]int, map[int]int) {}
	drain    = func(r io.Reader) { io.Copy(io.Discard, r) }
)

func BenchmarkRender(b *testing.B) {
	for b.Loop() {
		Render(50, io.Discard)
	}
}

func BenchmarkRenderNew(b *testing.B) {
	for b.Loop() {
		RenderNew(50, io.Discard)
	}
}

func BenchmarkDecode(b *testing.B) {
	data, _ := json.Marshal(struct{ Points []Point }{make([]Point, 20)})
	for b.Loop() {
		Decode(data)
	}
}

func BenchmarkFill(b *testing.B) {
	data, _ := json.Marshal(list{Points: make([]Point, 20)})
	for b.Loop() {
		Fill(data)
	}
}

func BenchmarkReadBody(b *testing.B) {
	data := make([]byte, 4000)
	r := bytes.NewReader(nil)
	for b.Loop() {
		r.Reset(data)
		ReadBody(r, useBytes)
		r.Reset(data)
		ReadAndReturn(r)
	}
}

func BenchmarkMiss(b *testing.B) {
	for b.Loop() {
		Miss(useState)
	}
}

func BenchmarkOutgrow(b *testing.B) {
	for b.Loop() {
		Outgrow(io.Discard, 100)
	}
}

func BenchmarkTiny(b *testing.B) {
	data := make([]byte, 100)
	for b.Loop() {
		Tiny(data, drain)
	}
}

func BenchmarkOrder(b *testing.B) {
	for b.Loop() {
		Order(100)
	}
}

func BenchmarkSeveral(b *testing.B) {
	for b.Loop() {
		Several(100, useBoth)
	}
}

func BenchmarkScratch(b *testing.B) {
	for b.Loop() {
		Scratch(1)
	}
}

// The site is in this file.
func BenchmarkInTest(b *testing.B) {
	for b.Loop() {
		var buf bytes.Buffer // in test
		buf.WriteString("a text that is so long that the buffer has to grow for it to have room, and a little more")
	}
}
