// SPDX-License-Identifier: BSD-3-Clause

package workloads

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/spare-go/spare"
	"github.com/spare-go/spare/codec/gzippool"
	"github.com/spare-go/spare/codec/httppool"
	"github.com/spare-go/spare/codec/jsonpool"
)

// The job of the three handlers: decode an order from the body, price it, answer
// with the receipt as gzipped JSON.

type order struct {
	Customer string     `json:"customer"`
	Lines    []orderRow `json:"lines"`
}

type orderRow struct {
	Item  string `json:"item"`
	Count int    `json:"count"`
	Cents int    `json:"cents"`
}

type receipt struct {
	Customer string       `json:"customer"`
	Lines    []receiptRow `json:"lines"`
	Total    int          `json:"total"`
}

type receiptRow struct {
	Item  string `json:"item"`
	Cents int    `json:"cents"`
}

// fill makes r, which has no lines yet, the receipt of o. Lines never stay nil: a
// new receipt and a reused one must read the same as JSON.
func (r *receipt) fill(o *order) {
	r.Customer = o.Customer
	if r.Lines == nil {
		r.Lines = make([]receiptRow, 0, len(o.Lines))
	}
	for i := range o.Lines {
		row := o.Lines[i]
		cents := row.Count * row.Cents
		r.Lines = append(r.Lines, receiptRow{Item: row.Item, Cents: cents})
		r.Total += cents
	}
}

// maxOrder is the largest body in bytes that the handlers accept. They ask for a
// Content-Length, beyond which net/http does not read.
const maxOrder = 64 << 10

// acceptable answers a request whose body is too large or of unknown size.
func acceptable(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case r.ContentLength < 0:
		http.Error(w, "Content-Length is missing", http.StatusLengthRequired)
	case r.ContentLength > maxOrder:
		http.Error(w, "order is too large", http.StatusRequestEntityTooLarge)
	default:
		return true
	}
	return false
}

func setGzippedJSON(h http.Header) {
	h.Set("Content-Type", "application/json")
	h.Set("Content-Encoding", "gzip")
}

func handleNaive(w http.ResponseWriter, r *http.Request) {
	if !acceptable(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "cannot read the order", http.StatusBadRequest)
		return
	}
	var o order
	if err := json.Unmarshal(body, &o); err != nil {
		http.Error(w, "order is not valid JSON", http.StatusBadRequest)
		return
	}
	var rec receipt
	rec.fill(&o)
	setGzippedJSON(w.Header())
	gz := gzip.NewWriter(w)
	if err := json.NewEncoder(gz).Encode(&rec); err != nil {
		return // the client is gone
	}
	gz.Close()
}

// exchange is what one request needs, all of it reusable.
type exchange struct {
	body    bytes.Buffer
	order   order
	receipt receipt
	out     *compressor
}

func newExchange() *exchange { return &exchange{out: newCompressor()} }

func (x *exchange) serve(w http.ResponseWriter, r *http.Request) {
	if !acceptable(w, r) {
		return
	}
	if _, err := x.body.ReadFrom(r.Body); err != nil {
		http.Error(w, "cannot read the order", http.StatusBadRequest)
		return
	}
	if err := json.Unmarshal(x.body.Bytes(), &x.order); err != nil {
		http.Error(w, "order is not valid JSON", http.StatusBadRequest)
		return
	}
	x.receipt.fill(&x.order)
	setGzippedJSON(w.Header())
	gz := x.out.start(w)
	if err := json.NewEncoder(gz).Encode(&x.receipt); err != nil {
		return // the client is gone
	}
	gz.Close()
}

// reset clears all that came from the request, also behind the lengths of the
// slices: see record.reset.
func (x *exchange) reset() {
	x.body.Reset()
	in, out := x.order.Lines[:cap(x.order.Lines)], x.receipt.Lines[:cap(x.receipt.Lines)]
	clear(in)
	clear(out)
	x.order = order{Lines: in[:0]}
	x.receipt = receipt{Lines: out[:0]}
	x.out.reset()
}

// Every part of an exchange is bounded by maxOrder but for rows such as {}, of
// which a body of that size holds many.
func (x *exchange) keep() bool {
	return cap(x.order.Lines)*32 <= maxPooled
}

// syncPoolHandler holds its pool as a field, as articles advise for what belongs
// to one part of a program.
type syncPoolHandler struct{ exchanges sync.Pool }

func newSyncPoolHandler() *syncPoolHandler {
	h := new(syncPoolHandler)
	h.exchanges.New = func() any { return newExchange() }
	return h
}

func (h *syncPoolHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := h.exchanges.Get().(*exchange)
	x.serve(w, r)
	if x.keep() {
		x.reset()
		h.exchanges.Put(x)
	}
}

type spareHandler struct {
	orders   jsonpool.Pool[order]
	receipts spare.Pool[receipt]
	bytes    spare.Slices[byte]
}

func newSpareHandler() *spareHandler {
	h := new(spareHandler)
	h.receipts.Reset = func(r *receipt) {
		clear(r.Lines)
		*r = receipt{Lines: r.Lines[:0]}
	}
	h.receipts.Keep = func(r *receipt) bool { return cap(r.Lines)*24 <= maxPooled }
	return h
}

func (h *spareHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !acceptable(w, r) {
		return
	}
	body, err := httppool.ReadBody(w, r, maxOrder)
	if err != nil {
		http.Error(w, "cannot read the order", http.StatusBadRequest)
		return
	}
	defer body.Release()
	o, err := h.orders.Unmarshal(body.Bytes())
	if err != nil {
		http.Error(w, "order is not valid JSON", http.StatusBadRequest)
		return
	}
	defer h.orders.Put(o)
	rec := h.receipts.Get()
	rec.fill(&o.V)
	text, err := jsonpool.Append(h.bytes.Get(0), rec)
	h.receipts.Put(rec)
	if err == nil {
		text = append(text, '\n')
		zipped := gzippool.AppendCompress(h.bytes.Get(0), text)
		setGzippedJSON(w.Header())
		w.Write(zipped)
		h.bytes.Put(zipped)
	}
	h.bytes.Put(text)
}
