// SPDX-License-Identifier: BSD-3-Clause

package lifecycle

import (
	"bytes"
	"context"
	"net/http"
	"sync"
)

// Bodies that requests are made with.

var requestTexts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type textBody struct{ *bytes.Buffer }

func (b *textBody) Close() error {
	b.Reset()
	requestTexts.Put(b.Buffer) // want `each call of Close puts it in the pool again`
	return nil
}

// The transport closes it, on some ways twice.
func send(c *http.Client, url, text string) error {
	b := requestTexts.Get().(*bytes.Buffer)
	b.WriteString(text)
	req, err := http.NewRequest(http.MethodPost, url, &textBody{b})
	if err != nil {
		requestTexts.Put(b)
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type onceTextBody struct {
	*bytes.Buffer
	once sync.Once
}

func (b *onceTextBody) Close() error {
	b.once.Do(func() {
		b.Reset()
		requestTexts.Put(b.Buffer)
	})
	return nil
}

func sendOnce(ctx context.Context, c *http.Client, url, text string) error {
	b := requestTexts.Get().(*bytes.Buffer)
	b.WriteString(text)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, &onceTextBody{Buffer: b})
	if err != nil {
		requestTexts.Put(b)
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Nobody else than its maker closes this one.
type textFile struct{ *bytes.Buffer }

func (f *textFile) Close() error {
	f.Reset()
	requestTexts.Put(f.Buffer)
	return nil
}

func lengthOf(text string) int {
	f := &textFile{requestTexts.Get().(*bytes.Buffer)}
	f.WriteString(text)
	n := f.Len()
	f.Close()
	return n
}
