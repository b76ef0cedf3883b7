// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"strings"
)

// A poolFunc is what one function of a known pool does.
type poolFunc struct {
	acquire bool
	release int    // number of the argument that goes to the pool, the receiver being 0; -1 if none
	from    bool   // the argument is the address of the variable whose value goes to the pool, and which is nil from then on
	counted bool   // the release may only drop a reference
	shares  bool   // the receiver has another reference from then on
	sized   bool   // the capacity asked for is there
	fresh   bool   // what comes out is empty
	bounded bool   // the pool itself drops what is too large
	lease   bool   // the value is a handle that knows when it was released; only memory that it gave out is at stake
	api     string // as users write it
}

// poolFuncs is the table of known pools, by package path, receiver type and
// name. Wrappers around them are inferred and not listed.
var poolFuncs = map[string]poolFunc{
	"sync.Pool.Get": {acquire: true, release: -1, api: "sync.Pool"},
	"sync.Pool.Put": {release: 1, api: "sync.Pool"},

	spare + ".Pool.Get":              {acquire: true, release: -1, fresh: true, api: "spare.Pool"},
	spare + ".Pool.Put":              {release: 1, bounded: true, api: "spare.Pool"},
	spare + ".Pool.PutFrom":          {release: 1, from: true, bounded: true, api: "spare.Pool"},
	spare + ".Slices.Get":            {acquire: true, release: -1, fresh: true, sized: true, api: "spare.Slices"},
	spare + ".Slices.Put":            {release: 1, bounded: true, api: "spare.Slices"},
	spare + ".Slices.PutFrom":        {release: 1, from: true, bounded: true, api: "spare.Slices"},
	spare + ".Slices.Grow":           {acquire: true, release: 1, fresh: true, sized: true, bounded: true, api: "spare.Slices"},
	spare + "/buffer.Get":            {acquire: true, release: -1, fresh: true, api: "buffer.Get"},
	spare + "/buffer.Buffer.Release": {release: 0, bounded: true, api: "buffer.Buffer"},
	spare + "/buffer.ReleaseFrom":    {release: 0, from: true, bounded: true, api: "buffer.Buffer"},

	codec + "/gzippool.Get":            {acquire: true, release: -1, fresh: true, api: "gzippool"},
	codec + "/gzippool.GetLevel":       {acquire: true, release: -1, fresh: true, api: "gzippool"},
	codec + "/gzippool.GetReader":      {acquire: true, release: -1, fresh: true, api: "gzippool"},
	codec + "/gzippool.Pool.Get":       {acquire: true, release: -1, fresh: true, api: "gzippool"},
	codec + "/gzippool.Pool.GetLevel":  {acquire: true, release: -1, fresh: true, api: "gzippool"},
	codec + "/gzippool.Pool.GetReader": {acquire: true, release: -1, fresh: true, api: "gzippool"},
	codec + "/gzippool.Put":            {release: 0, lease: true, bounded: true, api: "gzippool"},
	codec + "/gzippool.PutReader":      {release: 0, lease: true, bounded: true, api: "gzippool"},
	codec + "/gzippool.Writer.Close":   {release: 0, lease: true, bounded: true, api: "gzippool"},
	codec + "/gzippool.Reader.Close":   {release: 0, lease: true, bounded: true, api: "gzippool"},

	codec + "/zstdpool.Get":            {acquire: true, release: -1, fresh: true, api: "zstdpool"},
	codec + "/zstdpool.GetLevel":       {acquire: true, release: -1, fresh: true, api: "zstdpool"},
	codec + "/zstdpool.GetReader":      {acquire: true, release: -1, fresh: true, api: "zstdpool"},
	codec + "/zstdpool.Pool.Get":       {acquire: true, release: -1, fresh: true, api: "zstdpool"},
	codec + "/zstdpool.Pool.GetLevel":  {acquire: true, release: -1, fresh: true, api: "zstdpool"},
	codec + "/zstdpool.Pool.GetReader": {acquire: true, release: -1, fresh: true, api: "zstdpool"},
	codec + "/zstdpool.Put":            {release: 0, lease: true, bounded: true, api: "zstdpool"},
	codec + "/zstdpool.PutReader":      {release: 0, lease: true, bounded: true, api: "zstdpool"},
	codec + "/zstdpool.Writer.Close":   {release: 0, lease: true, bounded: true, api: "zstdpool"},
	codec + "/zstdpool.Reader.Close":   {release: 0, lease: true, bounded: true, api: "zstdpool"},

	codec + "/jsonpool.Pool.Get":       {acquire: true, release: -1, fresh: true, api: "jsonpool.Pool"},
	codec + "/jsonpool.Pool.Decode":    {acquire: true, release: -1, fresh: true, api: "jsonpool.Pool"},
	codec + "/jsonpool.Pool.Unmarshal": {acquire: true, release: -1, fresh: true, api: "jsonpool.Pool"},
	codec + "/jsonpool.Pool.Put":       {release: 1, bounded: true, api: "jsonpool.Pool"},

	codec + "/httppool.ReadBody":       {acquire: true, release: -1, fresh: true, api: "httppool"},
	codec + "/httppool.NewBody":        {acquire: true, release: -1, fresh: true, api: "httppool"},
	codec + "/httppool.NewJSONBody":    {acquire: true, release: -1, fresh: true, api: "httppool"},
	codec + "/httppool.Body.Release":   {release: 0, lease: true, bounded: true, api: "httppool"},
	codec + "/httppool.Do":             {release: 2, lease: true, bounded: true, api: "httppool"},
	codec + "/httppool.BufferPool.Get": {acquire: true, release: -1, sized: true, api: "httppool.BufferPool"},
	codec + "/httppool.BufferPool.Put": {release: 1, bounded: true, api: "httppool.BufferPool"},

	"github.com/valyala/bytebufferpool.Get":      {acquire: true, release: -1, fresh: true, api: "bytebufferpool"},
	"github.com/valyala/bytebufferpool.Put":      {release: 0, bounded: true, api: "bytebufferpool"},
	"github.com/valyala/bytebufferpool.Pool.Get": {acquire: true, release: -1, fresh: true, api: "bytebufferpool"},
	"github.com/valyala/bytebufferpool.Pool.Put": {release: 1, bounded: true, api: "bytebufferpool"},

	"go.uber.org/zap/buffer.Pool.Get":    {acquire: true, release: -1, fresh: true, api: "zap/buffer"},
	"go.uber.org/zap/buffer.Buffer.Free": {release: 0, bounded: true, api: "zap/buffer"},

	"google.golang.org/grpc/mem.BufferPool.Get":   {acquire: true, release: -1, fresh: true, sized: true, api: "mem.BufferPool"},
	"google.golang.org/grpc/mem.BufferPool.Put":   {release: 1, bounded: true, api: "mem.BufferPool"},
	"google.golang.org/grpc/mem.Buffer.Free":      {release: 0, counted: true, bounded: true, api: "mem.Buffer"},
	"google.golang.org/grpc/mem.Copy":             {acquire: true, release: -1, fresh: true, api: "mem.Buffer"},
	"google.golang.org/grpc/mem.Buffer.Ref":       {release: -1, shares: true, api: "mem.Buffer"},
	"google.golang.org/grpc/mem.Buffer.Slice":     {release: -1, shares: true, api: "mem.Buffer"},
	"google.golang.org/grpc/mem.BufferSlice.Free": {release: 0, counted: true, bounded: true, api: "mem.BufferSlice"},

	"github.com/gorilla/websocket.BufferPool.Get": {acquire: true, release: -1, api: "websocket.BufferPool"},
	"github.com/gorilla/websocket.BufferPool.Put": {release: 1, bounded: true, api: "websocket.BufferPool"},
	"net/http/httputil.BufferPool.Get":            {acquire: true, release: -1, api: "httputil.BufferPool"},
	"net/http/httputil.BufferPool.Put":            {release: 1, bounded: true, api: "httputil.BufferPool"},

	"github.com/bytedance/gopkg/lang/mcache.Malloc": {acquire: true, release: -1, sized: true, api: "mcache"},
	"github.com/bytedance/gopkg/lang/mcache.Free":   {release: 0, bounded: true, api: "mcache"},
	"github.com/libp2p/go-buffer-pool.Get":          {acquire: true, release: -1, sized: true, api: "go-buffer-pool"},
	"github.com/libp2p/go-buffer-pool.Put":          {release: 0, bounded: true, api: "go-buffer-pool"},
}

const (
	spare    = "github.com/spare-go/spare"
	codec    = spare + "/codec"
	fasthttp = "github.com/valyala/fasthttp"
)

// funcKey names a function as the tables do: package path, receiver type and
// name, without type arguments.
func funcKey(f *types.Func) string {
	if f == nil || f.Pkg() == nil {
		return ""
	}
	f = f.Origin()
	path := f.Pkg().Path()
	// Vendored copies are the same code.
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			return path + "." + n.Obj().Name() + "." + f.Name()
		}
		return ""
	}
	return path + "." + f.Name()
}

// poolFuncOf looks a function up in the table of known pools.
func poolFuncOf(f *types.Func) (poolFunc, bool) {
	if f == nil || f.Pkg() == nil {
		return poolFunc{}, false
	}
	name := f.Name()
	switch name {
	case "Copy", "Ref", "Slice":
		p, ok := poolFuncs[funcKey(f)]
		return p, ok
	case "Get", "Put", "PutFrom", "Grow", "Release", "ReleaseFrom", "Free", "Malloc":
		p, ok := poolFuncs[funcKey(f)]
		if !ok {
			return poolInterface(f)
		}
		return p, ok
	case "GetLevel", "GetReader", "PutReader", "Close", "Decode", "Unmarshal", "ReadBody", "NewBody", "NewJSONBody", "Do":
		if strings.HasPrefix(f.Pkg().Path(), codec) {
			p, ok := poolFuncs[funcKey(f)]
			return p, ok
		}
	case "ReturnToVTPool":
		// Generated by protoc-gen-go-vtproto.
		if f.Signature().Recv() != nil && f.Signature().Params().Len() == 0 {
			return poolFunc{release: 0, bounded: true, api: "vtprotobuf"}, true
		}
	}
	if hasPrefix(name, []string{"Get", "Put", "Alloc", "Free", "Malloc", "Acquire", "Release"}) && f.Pkg().Path() != fasthttp {
		if p, ok := poolInterface(f); ok {
			return p, true
		}
	}
	if strings.HasSuffix(name, "FromVTPool") && f.Signature().Recv() == nil && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 1 {
		return poolFunc{acquire: true, release: -1, fresh: true, api: "vtprotobuf"}, true
	}
	if path := f.Pkg().Path(); path == fasthttp && f.Signature().Recv() == nil {
		switch {
		case strings.HasPrefix(name, "Acquire") && f.Signature().Results().Len() == 1:
			return poolFunc{acquire: true, release: -1, fresh: true, api: "fasthttp"}, true
		case strings.HasPrefix(name, "Release") && f.Signature().Params().Len() == 1:
			return poolFunc{release: 0, bounded: true, api: "fasthttp"}, true
		}
	}
	return poolFunc{}, false
}
