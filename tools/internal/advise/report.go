// SPDX-License-Identifier: BSD-3-Clause

// Package advise judges the allocation sites of a profile: what each costs, why
// it is on the heap, how long its values live, whether reuse can remove it, and
// what that would save.
package advise

// The verdicts. Each site has exactly one.
const (
	PoolIt    = "pool it"                // values die young, and a pool can hand them on
	FixEscape = "fix the escape"         // a small change keeps the value on the stack
	OnStack   = "already on the stack"   // nothing to save
	Retained  = "retained, not poolable" // values live too long, or nobody knows when they die
	NotWorth  = "not worth it"           // too little traffic, or no reuse that pays
)

// Verdicts lists the verdicts, the most rewarding first.
var Verdicts = []string{PoolIt, FixEscape, Retained, NotWorth, OnStack}

// A Report is the advice on one profile, or on the benchmarks of some packages.
type Report struct {
	// Source says where the figures come from, for people: packages, a file, a URL.
	Source string `json:"source"`

	// Span is the time that the profile covers, in seconds; 0 if unknown.
	Span float64 `json:"span_seconds"`

	// Total is all traffic of the profile. With several benchmarks it is the sum of
	// one operation of each.
	Total Traffic `json:"total"`

	// Benchmarks are the benchmarks that were profiled; none for other inputs.
	Benchmarks []Benchmark `json:"benchmarks,omitempty"`

	// Sites are ranked by the CPU time that can be saved, as a share of that of the
	// operation; without CPU profiles by the bytes; then by traffic.
	Sites []Site `json:"sites"`

	// Warnings say what weakens the figures, and Notes what the source cannot tell.
	Warnings []string `json:"warnings,omitempty"`
	Notes    []string `json:"notes,omitempty"`

	settled   bool   // by the compiler alone: nothing was profiled
	unrun     bool   // because no benchmark runs the line
	explained string // FILE:LINE, in the report of one line
	near      string // where else in the file, if nothing is made there
}

// A Benchmark is what one profiled benchmark costs per operation.
type Benchmark struct {
	Package string  `json:"package"`
	Name    string  `json:"name"` // with the prefix Benchmark
	Ops     int     `json:"ops"`  // operations that the profile covers
	Traffic Traffic `json:"traffic"`
	CPU     float64 `json:"cpu_ns_per_op"` // user and system, by getrusage; 0 if unknown
	GCs     float64 `json:"gcs_per_op"`    // collections

	// Profiled is the CPU time that the CPU profile covers, in seconds; 0 if there is
	// none.
	Profiled float64 `json:"profiled_cpu_seconds"`

	// Measured is the traffic that the runtime counted; Traffic is the profile's
	// estimate of it.
	Measured Traffic `json:"measured"`

	// Predicted is what all changes together save that the sites of this benchmark
	// are advised to have; nil if there are none.
	Predicted *Prediction `json:"predicted,omitempty"`
}

// Traffic is a rate of allocation.
type Traffic struct {
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
	Per     string  `json:"per"` // "op", "s", or "" for a total without a known span
}

// A Site is a constructor: a place in the program under study that makes a
// value, with all that making it allocates, at once or later.
type Site struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Func      string `json:"func"` // as in pprof
	What      string `json:"what"` // "bytes.Buffer grow", "make([]byte)", ...
	Benchmark string `json:"benchmark,omitempty"`
	Package   string `json:"package,omitempty"` // of the benchmark

	// TakenAt are the lines, FILE:LINE, that take memory for the value elsewhere.
	TakenAt []string `json:"taken_at,omitempty"`

	Traffic Traffic `json:"traffic"`
	Share   float64 `json:"share"` // of the traffic in bytes, of the site's benchmark if it has one

	Size      int64   `json:"size"`                // bytes asked for, per object: the mean where sizes differ; 0 if unknown
	ClassSize int64   `json:"class_size"`          // bytes that the allocator hands out for that
	SizeFrom  int64   `json:"size_from,omitempty"` // least that it may have asked for, where Size is unknown and ClassSize is a class
	Waste     float64 `json:"waste"`               // (ClassSize-Size)/ClassSize; 0 if Size is unknown

	// SizeMean says that the profile does not tell sizes: ClassSize is a mean.
	SizeMean bool `json:"size_is_mean,omitempty"`

	// Noise says that the text of a report leaves the site out, and why: it is one of
	// the constants of this name; "" if it does not.
	Noise string `json:"noise,omitempty"`

	Escape   []string `json:"escape,omitempty"` // reasons in words
	Lifetime string   `json:"lifetime"`
	Verdict  string   `json:"verdict"`
	Advice   string   `json:"advice"`
	Lines    []string `json:"lines,omitempty"` // lines to change or to look at, FILE:LINE: what

	// Cost is the CPU time that the site accounts for; nil without a CPU profile.
	Cost *Cost `json:"cost,omitempty"`

	Predicted *Prediction `json:"predicted,omitempty"`
	Measured  *Prediction `json:"measured,omitempty"` // after -try

	// predictedTry is what is predicted of the mechanical change, where that keeps to
	// the implementation that the program has, or reuses less than the advice has it; or
	// nil. bySize is the share of the site's bytes in objects of each size.
	predictedTry *Prediction
	bySize       map[int64]float64

	outgrown bool // it is what append takes for a slice that outgrows its array

	byHand string // why there is no mechanical change, as far as the advice tells

	// Try says what the mechanical change is, or why there is none, or why it
	// failed; "" if none was asked for. Patch is the change, for git apply.
	Try   string `json:"try,omitempty"`
	Patch string `json:"patch,omitempty"`
}

// A Cost is CPU time, as fractions of all CPU time.
type Cost struct {
	Malloc    float64 `json:"malloc"`    // taking memory
	Construct float64 `json:"construct"` // making the values, Malloc included
	GC        float64 `json:"gc"`        // the collector, by the site's share of the bytes
	Runtime   float64 `json:"runtime"`   // the runtime outside of the program's stacks, by the same share
	Samples   int64   `json:"samples"`   // of the profile that these shares come from
}

// A Prediction is what reuse saves, as fractions of the whole (of the site's
// benchmark, or of the process): low and high. As a measurement, it is the
// interval of the measured saving.
type Prediction struct {
	Bytes [2]float64 `json:"bytes"`
	GCs   [2]float64 `json:"gcs"`
	CPU   [2]float64 `json:"cpu"`

	// NoCPU says that nothing is known of CPU time: there was no CPU profile.
	NoCPU bool `json:"no_cpu,omitempty"`
}
