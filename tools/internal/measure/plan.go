// SPDX-License-Identifier: BSD-3-Clause

package measure

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/spare-go/spare/tools/internal/paired"
)

// A Plan says what to measure, how often, and for how long.
type Plan struct {
	Cases   []*Case
	Replica map[*Case]bool // the cases that run twice in each round
	Rounds  int

	// Benchtime is the value of -benchtime for each block. If it is "", Budget
	// decides.
	Benchtime string

	// Budget is how long all rounds together should take. Time for starting
	// processes is part of it. Where even the shortest blocks would exceed it,
	// there are fewer rounds than Rounds, but not fewer than MinRounds.
	Budget time.Duration

	// Enough is how many rounds it takes until the test can tell anything, and up
	// to half as much again as Budget is spent on reaching them: a run that ends
	// before that was for nothing. 0 is as good as MinRounds.
	Enough int

	// Progress is told of each block before it starts; nil is allowed.
	Progress func(Step)

	// RoundDone is told of all series after each round; nil is allowed.
	RoundDone func([]*Series)
}

// A Step is a block about to run.
type Step struct {
	Case          *Case
	Round, Rounds int           // Round counts from 1
	Left          int           // blocks still to run, this one included
	Remaining     time.Duration // estimate; 0 while nothing is known
}

// Bounds of what a budget may decide: a shorter block measures the clock, and a
// longer one adds less than another round would.
const (
	minBenchtime = 10 * time.Millisecond
	maxBenchtime = time.Second
)

// blockOverhead is what starting a process and ramping up costs, as a first
// guess; the first round replaces it.
const blockOverhead = 40 * time.Millisecond

// MinRounds is the least number of rounds that a budget leaves of what was
// asked for: with fewer no interval reaches 95%.
const MinRounds = paired.MinPairs

// Blocks returns how many processes each round starts.
func (p *Plan) Blocks() int {
	n := len(p.Cases)
	for _, c := range p.Cases {
		if p.Replica[c] {
			n++
		}
	}
	return n
}

// FirstBenchtime returns the value of -benchtime that the first round uses.
func (p *Plan) FirstBenchtime() string {
	if p.Benchtime != "" {
		return p.Benchtime
	}
	return p.budgeted().String()
}

func (p *Plan) budgeted() time.Duration {
	if p.Blocks() == 0 || p.Rounds == 0 {
		return minBenchtime
	}
	block := p.Budget / time.Duration(p.Blocks()*p.Rounds)
	// The testing package aims a fifth above -benchtime.
	return clamp((block - blockOverhead) * 5 / 6)
}

func clamp(d time.Duration) time.Duration {
	return max(minBenchtime, min(maxBenchtime, d)).Round(time.Millisecond)
}

// Run runs the plan. The series are in the order of the cases; each has one
// sample for each round that was run. An error ends the run; the rounds before
// it have been told to RoundDone.
func (p *Plan) Run(ctx context.Context, r *Runner) ([]*Series, error) {
	type block struct {
		series  *Series
		replica bool
	}
	var series []*Series
	var blocks []block
	for _, c := range p.Cases {
		s := &Series{Case: c}
		series = append(series, s)
		blocks = append(blocks, block{s, false})
		if p.Replica[c] {
			blocks = append(blocks, block{s, true})
		}
	}
	copies := &copies{dir: r.TempDir}
	defer copies.remove()
	benchtime, length := p.FirstBenchtime(), p.budgeted()
	started := time.Now()
	left := len(blocks) * p.Rounds
	for round := 1; round <= p.Rounds; round++ {
		roundStarted := time.Now()
		copies.next()
		rand.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		for _, b := range blocks {
			if p.Progress != nil {
				step := Step{Case: b.series.Case, Round: round, Rounds: p.Rounds, Left: left}
				if done := len(blocks)*p.Rounds - left; done > 0 {
					step.Remaining = time.Since(started) / time.Duration(done) * time.Duration(left)
				}
				p.Progress(step)
			}
			// The replica is treated as those that it stands beside: sides come from
			// different copies, the values of a key from one.
			binary, err := copies.of(b.series.Case, b.replica && b.series.Side.Name != "")
			if err != nil {
				return nil, err
			}
			s, err := r.block(ctx, b.series.Case, benchtime, binary)
			if err != nil {
				return nil, b.series.Side.Blame(err)
			}
			if b.replica {
				b.series.Replica = append(b.series.Replica, s)
			} else {
				b.series.Samples = append(b.series.Samples, s)
			}
			left--
		}
		if p.RoundDone != nil {
			p.RoundDone(series)
		}
		if p.Benchtime == "" && round < p.Rounds {
			var more bool
			if length, more = p.adjust(round, length, time.Since(roundStarted), time.Since(started)); !more {
				break
			}
			benchtime = length.String()
		}
	}
	return series, nil
}

// adjust returns the benchtime for the next round, and whether there should be
// one. The round before it, with blocks of length, took took; all rounds so far
// took elapsed. Benchmarks whose single operation is long do not follow
// -benchtime, and a machine may become busy at any time.
func (p *Plan) adjust(round int, length, took, elapsed time.Duration) (next time.Duration, more bool) {
	blocks := time.Duration(p.Blocks())
	fixed := took - blocks*length*6/5 // what does not depend on the benchtime
	room := (p.Budget - elapsed) / time.Duration(p.Rounds-round)
	next = clamp(min(p.budgeted()*2, (room-fixed)/blocks*5/6))
	// What the next round would take, as far as the last one tells. Half of it
	// beyond the budget is nearer to the budget than a round less.
	would := fixed + blocks*next*6/5
	ends := elapsed + would/2
	return next, round < MinRounds || ends <= p.Budget || round < p.Enough && ends <= p.Budget*3/2
}
