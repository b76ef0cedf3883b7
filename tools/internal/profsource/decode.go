// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/plain"
)

// decode reads an allocation profile: pprof's protobuf, gzip or raw, or the text
// form if it has symbols. Its errors lack the name of the source.
func decode(data []byte) (*profile.Profile, error) {
	p, err := parse(data)
	if err != nil {
		return nil, err
	}
	return normal(p)
}

// parse reads a profile of any kind.
func parse(data []byte) (*profile.Profile, error) {
	if len(data) == 0 {
		return nil, errors.New("is empty: it holds no profile; write it again")
	}
	// Twice: some proxies compress what is compressed. The rest is ours to bound,
	// since the parser would decompress without a limit.
	for range 2 {
		if isGzip(data) {
			var err error
			if data, err = gunzip(data); err != nil {
				return nil, err
			}
		}
	}
	if isGzip(data) || len(data) == 0 {
		return nil, errors.New("is not a profile in pprof's format: it decompresses to nothing but gzip")
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, unreadable(data)
	}
	harmless(p)
	return p, nil
}

// harmless makes what a profile says in words fit to be printed: names may be
// anything.
func harmless(p *profile.Profile) {
	for _, f := range p.Function {
		f.Name, f.SystemName, f.Filename = plain.Text(f.Name), plain.Text(f.SystemName), plain.Text(f.Filename)
	}
	for _, m := range p.Mapping {
		m.File, m.BuildID = plain.Text(m.File), plain.Text(m.BuildID)
	}
	types := slices.Clone(p.SampleType)
	if p.PeriodType != nil {
		types = append(types, p.PeriodType)
	}
	for _, t := range types {
		t.Type, t.Unit = plain.Text(t.Type), plain.Text(t.Unit)
	}
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

func gunzip(data []byte) ([]byte, error) {
	gz, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, damaged(err)
	}
	data, err = readBounded(gz)
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, damaged(err)
	}
	return data, err
}

func damaged(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("is truncated (its gzip stream ends early): write or fetch it again")
	}
	return fmt.Errorf("is damaged (%w): write or fetch it again", err)
}

var errTooLarge = fmt.Errorf("is larger than %d MB, which is the limit for one profile: narrow it down (a shorter time, fewer processes), or reduce it with go tool pprof -proto", maxProfile>>20)

// readBounded reads r to its end, up to the limit for a profile.
func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err == nil && len(data) > maxProfile {
		return nil, errTooLarge
	}
	return data, err
}

// unreadable says what data, which is no profile that pprof can read, may be.
func unreadable(data []byte) error {
	head := bytes.TrimSpace(data[:min(len(data), 512)])
	lower := bytes.ToLower(head)
	switch {
	case bytes.HasPrefix(lower, []byte("<!doctype")) || bytes.HasPrefix(lower, []byte("<html")):
		return errors.New("is a page of HTML, not a profile: check the address (a login page, an index)")
	case bytes.HasPrefix(head, []byte("go 1.")) && bytes.Contains(head, []byte(" trace")):
		return errors.New("is an execution trace, not a profile: give a heap or allocs profile")
	case bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("[")):
		return errors.New("is JSON, not a profile in pprof's format: give a heap or allocs profile")
	case data[0] == 0x0a: // the first field of pprof's protobuf, a sample type
		return errors.New("is truncated or damaged: write or fetch it again")
	}
	return errors.New("is not a profile in pprof's format: give a heap or allocs profile, as go test -memprofile and /debug/pprof/allocs write it")
}
