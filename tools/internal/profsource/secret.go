// SPDX-License-Identifier: BSD-3-Clause

package profsource

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spare-go/spare/tools/internal/plain"
)

// Redact returns an address that a user gave as messages have it: the password,
// and the values of parameters that look like secrets, are masked; a user name
// without a password, too, since that is how tokens are given. What is no URL is
// masked as one in which the user and password end at the last @.
func Redact(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return shown(u)
	}
	if from, to, ok := credentials(raw); ok {
		raw = raw[:from] + plain.Masked + raw[to:]
	}
	return plain.Text(raw)
}

// shown returns a URL as messages have it. Every URL that is printed goes through
// it, or through [Redact].
func shown(u *url.URL) string {
	c := *u
	if c.User != nil {
		if _, ok := c.User.Password(); ok {
			c.User = url.UserPassword(c.User.Username(), plain.Masked)
		} else {
			c.User = url.User(plain.Masked)
		}
	}
	var kept []string
	for part := range strings.SplitSeq(c.RawQuery, "&") {
		if name, _, ok := strings.Cut(part, "="); ok && isSecret(name) {
			part = name + "=" + plain.Masked
		}
		kept = append(kept, part)
	}
	c.RawQuery = strings.Join(kept, "&")
	return plain.Text(c.String())
}

// credentials finds what may be user and password in a text that is no URL.
func credentials(raw string) (from, to int, ok bool) {
	if i := strings.Index(raw, "://"); i >= 0 {
		from = i + len("://")
	}
	to = strings.LastIndexByte(raw, '@')
	return from, to, to > from && (from > 0 || strings.Contains(raw[:to], ":"))
}

// secretName matches names of parameters and headers whose values are secrets.
var secretName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)token|secret|passw|pwd|auth|credential|cookie|session|signature|jwt|(^|[_.-])(sig|key|pass)$|api-?key|accesskey`)
})

func isSecret(name string) bool {
	if unescaped, err := url.QueryUnescape(name); err == nil {
		name = unescaped
	}
	return secretName().MatchString(name)
}

// A mask knows what must not be printed.
type mask []string

// maskOf returns what addresses, and the header that ctx has, hold of secrets.
func maskOf(ctx context.Context, addresses ...string) mask {
	var m mask
	for _, raw := range addresses {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" {
			if from, to, ok := credentials(raw); ok {
				_, password, _ := strings.Cut(raw[from:to], ":")
				m.add(raw[from:to], password)
			}
			continue
		}
		if u.User != nil {
			name := u.User.Username()
			password, ok := u.User.Password()
			_, escaped, _ := strings.Cut(u.User.String(), ":")
			if !ok {
				password, escaped = name, u.User.String()
			}
			m.add(password, escaped, url.QueryEscape(password), basic(name, password))
		}
		for part := range strings.SplitSeq(u.RawQuery, "&") {
			name, value, _ := strings.Cut(part, "=")
			if isSecret(name) {
				m.add(value)
				if v, err := url.QueryUnescape(value); err == nil {
					m.add(v, url.QueryEscape(v))
				}
			}
		}
	}
	header, _ := ctx.Value(headerKey{}).(http.Header)
	for name, values := range header {
		if !isSecret(name) {
			continue
		}
		for _, v := range values {
			_, rest, _ := strings.Cut(v, " ") // behind the scheme
			m.add(v, strings.TrimSpace(rest))
			if both, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil {
				_, password, _ := strings.Cut(string(both), ":")
				m.add(password)
			}
		}
	}
	slices.SortFunc(m, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return m
}

// basic is how the header of HTTP has user and password.
func basic(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}

func (m *mask) add(secrets ...string) {
	for _, s := range secrets {
		if s != "" && s != plain.Masked && !slices.Contains(*m, s) {
			*m = append(*m, s)
		}
	}
}

// text masks the secrets in a text, whoever wrote it: a server may repeat what it
// was sent. What is short counts as a word only.
func (m mask) text(s string) string {
	for _, secret := range m {
		var out strings.Builder
		for {
			i := strings.Index(s, secret)
			if i < 0 {
				break
			}
			before, after := s[:i], s[i+len(secret):]
			masked := plain.Masked
			if len(secret) < 4 && !(endsWord(before) && beginsNoWord(after)) {
				masked = secret
			}
			out.WriteString(before + masked)
			s = after
		}
		s = out.String() + s
	}
	return plain.Text(s)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return !isWord(r)
}

func beginsNoWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !isWord(r)
}

// guard masks what a source gave: the name of the profile, and the error, which
// becomes one line. It is deferred by what the package exports, so that nothing
// comes out of it as others wrote it.
func (m mask) guard(p **Profile, err *error) {
	if *p != nil {
		(*p).From = m.text((*p).From)
	}
	if *err == nil {
		return
	}
	if text := m.text((*err).Error()); text != (*err).Error() {
		*err = &maskedError{text, *err}
	}
}

// A maskedError has the text of another error without its secrets.
type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string { return e.text }

// Is and As look into the error. There is no Unwrap, which would give the text
// away.
func (e *maskedError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *maskedError) As(target any) bool   { return errors.As(e.err, target) }
