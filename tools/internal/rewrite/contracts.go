// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/types"
	"strings"
)

// A verdict is what a function's contract says of an argument or a receiver.
type verdict uint8

const (
	unknown     verdict = iota
	borrows             // it does not keep the argument
	bySignature         // the same, by the contract of an interface of package io or hash
	aliases             // it does not keep it, but its results may refer to it
	keeps
)

// trusted are the packages of the standard library whose functions keep none of
// their arguments, but for those in keeping: what they return may refer to them.
var trusted = map[string]bool{
	"archive/tar": true, "archive/zip": true, "bufio": true, "bytes": true, "cmp": true, "compress/bzip2": true,
	"compress/flate": true, "compress/gzip": true, "compress/lzw": true, "compress/zlib": true,
	"crypto/aes": true, "crypto/cipher": true, "crypto/hmac": true, "crypto/md5": true, "crypto/rand": true, "crypto/sha1": true,
	"crypto/sha256": true, "crypto/sha512": true, "crypto/subtle": true,
	"encoding": true, "encoding/ascii85": true, "encoding/base32": true, "encoding/base64": true, "encoding/binary": true, "encoding/csv": true,
	"encoding/gob": true, "encoding/hex": true, "encoding/json": true, "encoding/pem": true, "encoding/xml": true,
	"errors": true, "fmt": true, "hash": true, "hash/adler32": true, "hash/crc32": true, "hash/crc64": true, "hash/fnv": true, "hash/maphash": true,
	"html": true, "html/template": true, "io": true, "iter": true, "maps": true, "math": true, "math/big": true, "math/bits": true, "mime/multipart": true,
	"mime/quotedprintable": true, "net/netip": true, "net/textproto": true, "path": true, "path/filepath": true, "regexp": true,
	"slices": true, "sort": true, "strconv": true, "strings": true, "text/tabwriter": true, "text/template": true, "time": true, "unicode": true,
	"unicode/utf16": true, "unicode/utf8": true,
	"github.com/klauspost/compress/flate": true, "github.com/klauspost/compress/gzip": true, "github.com/klauspost/compress/zlib": true,
}

// keeping are functions of trusted packages that do keep an argument.
var keeping = map[string]bool{
	"encoding/gob.Register": true, "encoding/gob.RegisterName": true, "time.AfterFunc": true,
	"archive/zip.RegisterCompressor": true, "archive/zip.RegisterDecompressor": true,
	"maps.Copy": true, "maps.Insert": true,
	"io.Pipe": true, "iter.Pull": true, "iter.Pull2": true,
}

// fresh are functions of trusted packages whose results are made anew.
var fresh = map[string]bool{
	"encoding/json.Marshal": true, "encoding/json.MarshalIndent": true, "encoding/xml.Marshal": true, "encoding/xml.MarshalIndent": true,
	"io.ReadAll": true, "bytes.Clone": true, "bytes.Repeat": true, "bytes.Join": true, "bytes.Replace": true, "bytes.ReplaceAll": true,
	"bytes.Map": true, "bytes.ToUpper": true, "bytes.ToLower": true, "bytes.Runes": true,
}

// printing are functions outside of them that format their arguments and return.
var printing = map[string]bool{
	"log.Print": true, "log.Printf": true, "log.Println": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true,
	"(*log.Logger).Print": true, "(*log.Logger).Printf": true, "(*log.Logger).Println": true,
	"os.WriteFile": true,
	// These read the argument while they run, and copy the bytes.
	"(net/http.Header).Write": true,
	"runtime.KeepAlive":       true,
}

// borrowing are the names of methods of trusted packages' types that keep
// none of their arguments. Others, such as Reset, may.
var borrowing = map[string]bool{
	"Write": true, "WriteString": true, "Read": true, "ReadAt": true, "WriteAt": true, "ReadFrom": true, "WriteTo": true, "ReadByte": true,
	"Encode": true, "Decode": true, "EncodeElement": true, "DecodeElement": true, "EncodeToken": true, "Execute": true, "ExecuteTemplate": true, "EncodeToString": true, "DecodeString": true,
	"Print": true, "Printf": true, "Println": true, "Sum": true, "AppendEncode": true, "AppendDecode": true, "EncodedLen": true,
	"Uint16": true, "Uint32": true, "Uint64": true, "PutUint16": true, "PutUint32": true, "PutUint64": true,
	"AppendUint16": true, "AppendUint32": true, "AppendUint64": true, "Append": true, "AppendFormat": true, "AppendTo": true, "AppendText": true, "AppendBinary": true,
	"XORKeyStream": true, "CryptBlocks": true, "Encrypt": true, "Decrypt": true, "Seal": true, "Open": true,
	"Match": true, "MatchString": true, "MatchReader": true, "Find": true, "FindAll": true, "FindIndex": true, "FindAllIndex": true, "FindSubmatch": true,
	"FindSubmatchIndex": true, "FindAllSubmatch": true, "FindAllSubmatchIndex": true, "ReplaceAll": true, "ReplaceAllLiteral": true, "ReplaceAllFunc": true, "Expand": true, "ExpandString": true,
	"SetBytes": true, "FillBytes": true, "UnmarshalBinary": true, "UnmarshalText": true, "UnmarshalJSON": true,
}

// callsMethods are the packages that call methods of what they are given.
var callsMethods = map[string]bool{
	"fmt": true, "log": true, "encoding/json": true, "encoding/xml": true, "encoding/gob": true, "text/template": true, "html/template": true,
}

var implicitMethods = []string{
	"String", "GoString", "Format", "Error", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary",
	"MarshalXML", "UnmarshalXML", "GobEncode", "GobDecode", "Scan",
}

// argumentContract is the verdict about argument n, the receiver not counted.
func argumentContract(f *types.Func, n int) verdict {
	if f.Pkg() == nil {
		return unknown // error.Error
	}
	name := f.FullName()
	if keeping[name] {
		return keeps
	}
	if printing[name] {
		return borrows
	}
	sig := f.Signature()
	if trusted[f.Pkg().Path()] {
		if fresh[name] {
			return borrows
		}
		if sig.Recv() == nil {
			return aliases
		}
		if borrowing[f.Name()] {
			return aliases
		}
		return keeps
	}
	if contractMethod(f) {
		return bySignature
	}
	return unknown
}

// receiverContract is the verdict about the receiver.
func receiverContract(f *types.Func) verdict {
	if f.Pkg() != nil && trusted[f.Pkg().Path()] {
		return aliases
	}
	if contractMethod(f) {
		return bySignature
	}
	switch f.Name() {
	case "Close", "Flush", "Len", "Size", "String", "Error", "WriteByte", "ReadByte", "WriteRune", "ReadRune":
		if sig := f.Signature(); sig.Params().Len() <= 1 {
			for i := range sig.Results().Len() {
				if t := sig.Results().At(i).Type(); pointerful(t) && !isError(t) {
					return unknown
				}
			}
			return bySignature
		}
	}
	return unknown
}

// contracts are the methods whose interface forbids to keep an argument, with
// their types.
var contracts = map[string]string{
	"Write":       "func([]byte) (int, error)",
	"Read":        "func([]byte) (int, error)",
	"WriteString": "func(string) (int, error)",
	"ReadAt":      "func([]byte, int64) (int, error)",
	"WriteAt":     "func([]byte, int64) (int, error)",
	"ReadFrom":    "func(io.Reader) (int64, error)",
	"WriteTo":     "func(io.Writer) (int64, error)",
}

// contractMethod reports whether f is a method of io.Writer or its like.
func contractMethod(f *types.Func) bool {
	want, ok := contracts[f.Name()]
	sig := f.Signature()
	if !ok || sig.Recv() == nil {
		return false
	}
	var b strings.Builder
	b.WriteString("func(")
	tuple := func(t *types.Tuple) {
		for i := range t.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			typ := types.TypeString(t.At(i).Type(), nil)
			if typ == "[]uint8" {
				typ = "[]byte"
			}
			b.WriteString(typ)
		}
	}
	tuple(sig.Params())
	b.WriteString(") (")
	tuple(sig.Results())
	b.WriteString(")")
	return b.String() == want
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
