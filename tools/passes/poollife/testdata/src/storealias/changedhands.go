// SPDX-License-Identifier: BSD-3-Clause

package storealias

import (
	"io"
	"sync"
)

// Bodies that lead back to the message that has them.

type head struct{ length int }

type bodyOf struct {
	head *head
	from io.Reader
}

func (b *bodyOf) Read(p []byte) (int, error) { return b.from.Read(p[:min(len(p), b.head.length)]) }

type mail struct {
	head head
	body io.Reader
}

var mails = sync.Pool{New: func() any { return new(mail) }}

func freeMail(m *mail) {
	*m = mail{}
	mails.Put(m)
}

// Right: the body is the pooled message's, and goes with it.
func sendTaken(m *mail, to io.Writer) error {
	x := mails.Get().(*mail)
	x.head = m.head
	x.body, m.body = m.body, nil
	if b, ok := x.body.(*bodyOf); ok {
		b.head = &x.head
	}
	_, err := io.Copy(to, x.body)
	freeMail(x)
	return err
}

// Wrong: the message that was given has its body still.
func sendLent(m *mail, to io.Writer) error {
	x := mails.Get().(*mail)
	x.head = m.head
	x.body = m.body
	if b, ok := m.body.(*bodyOf); ok {
		b.head = &x.head // want `field head keeps memory of x after the value was put in mails`
	}
	_, err := io.Copy(to, x.body)
	freeMail(x)
	return err
}

// Wrong: the caller gets it.
func takeBody(m *mail) io.Reader {
	x := mails.Get().(*mail)
	x.head = m.head
	x.body, m.body = m.body, nil
	b, ok := x.body.(*bodyOf)
	if !ok {
		freeMail(x)
		return nil
	}
	b.head = &x.head // want `field head keeps memory of x after the value was put in mails`
	freeMail(x)
	return b
}
