// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/pprof/profile"
)

// Pyroscope returns what the processes that a query selects allocated in a range
// of time, merged by a Pyroscope server. The URL is that of the server; the query
// is a label selector, such as {service_name="checkout"}, with or without the
// profile type before it.
//
// The server keeps allocations as differences between uploads, so that their sum
// is the traffic. It sums what is in use over uploads just the same, which has no
// meaning without their number: in use is not known. Nor are the sizes of objects
// below one stack, and Period is the default, whatever the processes had.
func Pyroscope(ctx context.Context, url, query string, from, until time.Time) (found *Profile, err error) {
	defer maskOf(ctx, url).guard(&found, &err)
	q, err := parseQuery(query, from, until)
	if err != nil {
		return nil, err
	}
	if q.delta {
		return nil, fmt.Errorf("query %s: the types of Pyroscope have no :delta at their end; leave it out", query)
	}
	if q.name == "" {
		q.name = "memory"
	}
	server, err := parseURL(url)
	if err != nil {
		return nil, err
	}
	server = server.JoinPath(selectMergeProfile)
	var single []*profile.Profile
	for i := range allocColumns {
		p, err := pyroscopeMerge(ctx, server.String(), profileType(q.name, i, false), q)
		if err != nil {
			return nil, err
		}
		single = append(single, p)
	}
	p, err := join(single)
	if err != nil {
		return nil, fmt.Errorf("the answer of %s %w", shown(server), err)
	}
	if allocated(p) == 0 {
		return nil, errNoMatch(shown(server), q, "check labels, range and tenant; services must push or be scraped for the type "+profileType(q.name, 1, false))
	}
	span := until.Sub(from)
	p.TimeNanos, p.DurationNanos = from.UnixNano(), int64(span)
	return &Profile{P: p, Span: span, From: shown(server) + " " + q.String()}, nil
}

// selectMergeProfile is the call that returns a merged profile, of the Connect
// protocol over HTTP POST. Pyroscope 1.0 to 2.2 have it; 2.2 has a newer one too,
// and promises to keep this one in querier.v1.
const selectMergeProfile = "querier.v1.QuerierService/SelectMergeProfile"

// pyroscopeMerge asks for one profile type. As the request is protobuf, so is the
// answer: a google.v1.Profile, which is a profile in pprof's format. One that
// matches nothing is empty.
func pyroscopeMerge(ctx context.Context, url, typ string, q query) (*profile.Profile, error) {
	body := selectMergeProfileRequest(typ, q)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/proto")
	req.Header.Set("Connect-Protocol-Version", "1")
	answer, err := fetch(ctx, req, shown(req.URL), 0)
	if wrapped := new(statusError); errors.As(err, &wrapped) && (wrapped.code == http.StatusNotFound || wrapped.code == http.StatusMethodNotAllowed) {
		return nil, fmt.Errorf("%w (is it the address of a Pyroscope server, as http://pyroscope:4040?)", err)
	}
	if err != nil || len(answer) == 0 {
		return &profile.Profile{}, err
	}
	p, err := parse(answer)
	if err != nil {
		return nil, fmt.Errorf("the answer of %s for %s %w", shown(req.URL), typ, err)
	}
	return p, nil
}

// selectMergeProfileRequest encodes the message of this name of
// querier/v1/querier.proto: type and selector, then the range in milliseconds.
func selectMergeProfileRequest(typ string, q query) []byte {
	const lengthDelimited, varint = 2, 0
	var b []byte
	for i, s := range []string{typ, q.selector} {
		b = append(b, byte(i+1)<<3|lengthDelimited)
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for i, t := range []time.Time{q.from, q.until} {
		b = append(b, byte(i+3)<<3|varint)
		b = binary.AppendUvarint(b, uint64(t.UnixMilli()))
	}
	return b
}
