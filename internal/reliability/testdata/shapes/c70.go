// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"github.com/spare-go/spare/buffer"
	"strings"
)

func c70marshal(v any) ([]byte, error) {
	buf := buffer.Get()
	defer buf.Release()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

type c70request struct{ body []byte }

func (r *c70request) setBody(v any) (err error) {
	r.body, err = c70marshal(v)
	return err
}

func c70() {
	var r c70request
	r.setBody(strings.Repeat("x", 500))
	show(r.body)
}
