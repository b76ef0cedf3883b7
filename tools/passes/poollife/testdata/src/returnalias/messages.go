// SPDX-License-Identifier: BSD-3-Clause

package returnalias

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/mail"
	"net/textproto"
	"sync"
)

// What a message is read from is read on through its body.

var messageReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func messageReader(r io.Reader) *bufio.Reader {
	br := messageReaders.Get().(*bufio.Reader)
	br.Reset(r)
	return br
}

func letter(r io.Reader) (*mail.Message, error) {
	br := messageReader(r)
	defer messageReaders.Put(br)
	return mail.ReadMessage(br) // want `is returned while the deferred call puts it in`
}

func dotted(r io.Reader) io.Reader {
	br := messageReader(r)
	defer messageReaders.Put(br)
	return textproto.NewReader(br).DotReader() // want `is returned while the deferred call puts it in`
}

func letterRead(r io.Reader) (*mail.Message, error) {
	br := messageReader(r)
	defer messageReaders.Put(br)
	m, err := mail.ReadMessage(br)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		return nil, err
	}
	m.Body = bytes.NewReader(body)
	return m, nil
}

func answerRead(r io.Reader) (*http.Response, error) {
	br := messageReader(r)
	defer messageReaders.Put(br)
	resp, err := http.ReadResponse(br, nil)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

func letterHeader(r io.Reader) (mail.Header, error) {
	br := messageReader(r)
	defer messageReaders.Put(br)
	h, err := textproto.NewReader(br).ReadMIMEHeader()
	return mail.Header(h), err
}

// Pieces of the bytes, as loops over them give them.
var texts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func lineOf(r io.Reader) []byte {
	b := texts.Get().(*bytes.Buffer)
	defer texts.Put(b)
	b.Reset()
	b.ReadFrom(r)
	for line := range bytes.Lines(b.Bytes()) {
		return line // want `is returned while the deferred call puts it in`
	}
	return nil
}

func fieldsOf(r io.Reader) (list []string) {
	b := texts.Get().(*bytes.Buffer)
	defer texts.Put(b)
	b.Reset()
	b.ReadFrom(r)
	for line := range bytes.FieldsSeq(b.Bytes()) {
		list = append(list, string(line))
	}
	return list
}
