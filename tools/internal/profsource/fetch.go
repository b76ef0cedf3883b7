// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// requestTimeout bounds one request, beyond the time that a server is asked to
// collect for. Stores take their time to merge a long range.
const requestTimeout = 2 * time.Minute

// maxText bounds what an error repeats of a server's own words, in bytes.
const maxText = 200

type headerKey struct{}

// WithHeader returns a context in which requests carry the header as well, such
// as Authorization, or X-Scope-OrgID for the tenant of a Pyroscope. A user name
// and password in a URL (https://user:password@host) need no header.
func WithHeader(ctx context.Context, header http.Header) context.Context {
	return context.WithValue(ctx, headerKey{}, header.Clone())
}

// client is http.DefaultClient, but for what it says of a redirect to what is no
// address: that repeats the address in pieces.
var client = &http.Client{Transport: redirects{}}

type redirects struct{}

func (redirects) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil && resp.StatusCode/100 == 3 {
		if _, err := resp.Location(); err != nil && !errors.Is(err, http.ErrNoLocation) {
			resp.Body.Close()
			return nil, errors.New("the answer is a redirect to what is no address")
		}
	}
	return resp, err
}

// fetch sends a request and returns the body of the answer, which is whole, of
// status 200 and not above the limit. extra is the time that the server spends by
// request. Every error begins with name, or names it.
func fetch(ctx context.Context, req *http.Request, name string, extra time.Duration) ([]byte, error) {
	limit := requestTimeout + extra
	tooLate := fmt.Errorf("no whole answer within %v", limit)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, tooLate)
	defer cancel()
	req = req.WithContext(ctx)
	if header, ok := ctx.Value(headerKey{}).(http.Header); ok {
		for name, values := range header {
			req.Header[name] = values
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, unreachable(ctx, name, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refused(name, resp)
	}
	body, err := readBounded(resp.Body)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, fmt.Errorf("the answer of %s %w", name, err)
	case err != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("the answer of %s is truncated (%w): try again", name, err)
	case err != nil:
		return nil, unreachable(ctx, name, err)
	}
	return body, nil
}

// unreachable describes a request that had no whole answer.
func unreachable(ctx context.Context, name string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%s: %w", name, cause)
	}
	if wrapped := new(url.Error); errors.As(err, &wrapped) {
		err = wrapped.Err // which names the URL again
	}
	return fmt.Errorf("%s: %w; is it running, and are host and port right?", name, err)
}

// A statusError is an answer with a status other than 200.
type statusError struct {
	url    string
	code   int
	status string
	text   string // what the server said, in one line
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answered %s", e.url, e.status)
	if e.text != "" {
		text += ": " + e.text
	}
	switch e.code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return text + "; give credentials in the address, as user:password@ before the host, or in a header"
	case http.StatusNotFound:
		return text + "; check the path of the address"
	}
	return text
}

func refused(name string, resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	text := message(body)
	if text == "" && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		text = string(body)
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return &statusError{name, resp.StatusCode, resp.Status, text}
}

// message returns the message of an error of Connect (Pyroscope) or of the gRPC
// gateway (Parca), "" if body is something else. Pyroscope wraps one in another.
func message(body []byte) string {
	var answer struct{ Message string }
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	if inner := message([]byte(answer.Message)); inner != "" {
		return inner
	}
	return answer.Message
}

// parseURL reads an absolute http or https URL.
func parseURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil && strings.Contains(raw, "@"):
		// What package url says of it may be a part of the password.
		return nil, fmt.Errorf("%q is not an address: in a user name or password, write characters other than letters and digits as %%2F and the like", Redact(raw))
	case err != nil:
		if wrapped := new(url.Error); errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("%q is not an address: %w", Redact(raw), err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%q is not an address: begin it with http:// or https://", Redact(raw))
	}
	return u, nil
}
