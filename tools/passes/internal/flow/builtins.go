// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// builtin follows a call of a predeclared function.
func (a *analysis) builtin(st *state, i ssa.CallInstruction, b *ssa.Builtin, args []*sym, c *ssa.CallCommon) *sym {
	res := c.Signature().Results()
	var typ types.Type = types.Typ[types.Int]
	if res.Len() == 1 {
		typ = res.At(0).Type()
	}
	switch b.Name() {
	case "recover":
		return a.recoverCall(st, i, typ)
	case "append":
		if len(args) == 0 {
			break
		}
		x := args[0]
		if len(args) > 1 {
			a.use(st, i, args[1], "read")
		}
		if x.kind == kNil || x.kind == kConst {
			s := a.make(st, kAlloc, i, 0, typ)
			a.appended(st, s, args)
			return s
		}
		if isCapped(c.Args[0]) {
			// append(s[:0:0], ...) copies.
			s := a.make(st, kAlloc, i, 0, typ)
			a.appended(st, s, args)
			return s
		}
		a.use(st, i, x, "appended to")
		s := a.makeOf(st, kAppend, i, 0, typ, x)
		a.appended(st, s, args)
		a.noteAppend(st, i, x, s, c)
		return s
	case "copy":
		a.use(st, i, args[0], "written")
		a.use(st, i, args[1], "read")
		if sl, ok := c.Args[0].Type().Underlying().(*types.Slice); ok && hasPointers(sl.Elem()) {
			a.overwritten(st, args[0], args[1])
			for _, k := range sortedKeys(st.mem) {
				if k.kind == kElem && k.a == a.elemBase(st, args[1]) {
					st.mem[a.syms.elem(a.elemBase(st, args[0]), k.b, nil)] = st.mem[k]
				}
			}
			if to := a.elemBase(st, args[0]); to.root().kind == kAlloc {
				set(&st.epoch, to, st.epoch[to]+1) // the others are not zero any more
			}
		}
	case "len", "cap":
		x := args[0]
		if x.kind == kNil || x.kind == kView && x.idx == 1 && b.Name() == "len" {
			return a.syms.constant(constInt(0), typ) // nil, or x[:0]
		}
		if n, ok := wholeLen(x); ok {
			return a.syms.constant(constInt(n), typ)
		}
		if list := a.listOf(x); len(list) > 0 {
			return a.syms.constant(constInt(len(list)), typ)
		}
		if n, ok := a.literalLen(x); ok {
			return a.syms.constant(constInt(n), typ)
		}
		k := kLen
		if b.Name() == "cap" {
			k = kCap
		} else {
			a.noteLenAsked(st, i, x)
		}
		if _, isMap := c.Args[0].Type().Underlying().(*types.Map); isMap {
			a.use(st, i, x, "measured")
			return a.makeOf(st, k, i, 0, typ, memoryView(x))
		}
		return a.syms.intern(symKey{kind: k, a: memoryView(x), idx: st.epochOf(x)}, typ)
	case "clear":
		a.use(st, i, args[0], "cleared")
		a.noteClear(st, args[0])
		a.clearElems(st, args[0])
		a.elemsTakenOut(st, args[0])
		set(&st.epoch, a.elemBase(st, args[0]), st.epoch[a.elemBase(st, args[0])]+1)
	case "delete":
		a.use(st, i, args[0], "written")
		// Keys of unknown value may be the same.
		m := a.elemBase(st, args[0])
		for _, k := range sortedKeys(st.mem) {
			if k.kind == kElem && k.a == m && (k.b == args[1] || k.b.kind != kConst || args[1].kind != kConst) {
				if k.b != args[1] {
					a.stillStored(st, st.mem[k])
				}
				delete(st.mem, k)
			}
		}
		set(&st.epoch, a.syms.elem(m, args[1], nil), st.epoch[a.syms.elem(m, args[1], nil)]+1)
	case "String":
		return a.lentString(args[0], typ)
	case "StringData", "Slice", "SliceData", "Add": // of package unsafe
		return a.syms.view(args[0], typ)
	case "ssa:wrapnilchk":
		return args[0]
	case "min", "max":
		return a.opaque(st, i, 0, typ)
	}
	if res.Len() == 0 {
		return a.syms.null()
	}
	return a.opaque(st, i, 0, typ)
}

// clearElems forgets the elements of a slice or map that is cleared. Which of them
// a loop put back before is not followed: none of them is lost.
func (a *analysis) clearElems(st *state, x *sym) {
	base := a.elemBase(st, x)
	for _, k := range sortedKeys(st.mem) {
		if k.kind != kElem || k.a != base {
			continue
		}
		a.reach(st, st.mem[k], func(y *sym) bool {
			if y.kind == kToken {
				st.handOver(y)
			}
			return true
		})
		delete(st.mem, k)
	}
}

func memoryView(x *sym) *sym {
	if x.kind == kIface {
		return x.a
	}
	return x
}

// isCapped reports whether an expression is s[:n:n], or s[m:n:n].
func isCapped(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok || s.Max == nil || s.High == nil {
		return false
	}
	n, ok1 := s.High.(*ssa.Const)
	most, ok2 := s.Max.(*ssa.Const)
	if ok1 && ok2 {
		return n.Int64() == most.Int64()
	}
	return sameNumber(s.Max, s.High)
}

// appended records that the elements of what is appended can be reached from s.
func (a *analysis) appended(st *state, s *sym, args []*sym) {
	if x := args[0]; x.kind != kNil {
		base := a.elemBase(st, x)
		for _, k := range keysOf(st.mem, func(k *sym) bool { return k.kind == kElem && (k.a == x || k.a == base) }) {
			if !a.cutOff(st, x, st.mem[k]) {
				st.mem[a.syms.elem(s, k.b, nil)] = st.mem[k]
			}
		}
	}
	if len(args) < 2 {
		return
	}
	if v := a.pieceOf(args[1]); v != nil {
		st.mem[a.syms.elem(s, a.syms.fresh(kOpaque, types.Typ[types.Int]), nil)] = v
	}
	y := a.elemBase(st, args[1])
	a.appendedStructs(st, s, y)
	// A struct appended by value: its fields, and those of structs in it, were written one by one.
	element := func(k *sym) *sym {
		for k.kind == kField {
			k = k.a
		}
		return k
	}
	for _, k := range keysOf(st.mem, func(k *sym) bool { e := element(k); return e.kind == kElem && e.a == y }) {
		if k.kind == kElem {
			st.mem[a.syms.elem(s, a.syms.fresh(kOpaque, types.Typ[types.Int]), nil)] = st.mem[k]
		} else {
			st.mem[a.syms.elem(s, a.copiedIndex(), nil)] = st.mem[k]
		}
	}
}

// An effect is what a function of the standard library does with its arguments.
type effect uint8

const (
	eView    effect = iota + 1 // result 0 is part of argument 0's memory
	eHold                      // result 0 keeps every pointer argument reachable
	eAppend                    // result 0 is argument 0 appended to
	eCopy                      // results share nothing with the arguments
	eReset                     // argument 0 is emptied; it holds the others from now on
	eWrite                     // argument 0 is appended to
	eDrain                     // argument 0 is read to its end
	eSink                      // arguments may be used after the call returns
	eErrHold                   // the error keeps the last argument reachable
	eFatal                     // does not return
	eClone                     // a shallow copy of argument 0
	eStop                      // a timer is stopped
	eAfter                     // a timer's function holds what it captures
	eError                     // the result is an error
	eLent                      // result 0 is memory that argument 0, a handle, lends
	eStart                     // argument 1 is called in a goroutine
	eLend                      // argument 0 works in the memory of argument 1 from now on
	eSelf                      // result 0 is argument 0
	eInto                      // the elements of argument 1 are in argument 0 from now on, too
	eFound                     // result 0 is part of argument 1's memory
	ePlace                     // result 0 stands for what is found in what argument 0 stands for
	eSetIn                     // what argument 0 stands for is set to argument 1
)

var effects = map[string]effect{
	"bytes.Buffer.Bytes": eView, "bytes.Buffer.Next": eView, "bytes.Buffer.AvailableBuffer": eView, "bytes.Buffer.Peek": eView,
	"bytes.Buffer.String": eCopy, "bytes.Buffer.ReadString": eCopy, "bytes.Buffer.ReadBytes": eCopy,
	"bytes.Buffer.Len": eCopy, "bytes.Buffer.Cap": eCopy, "bytes.Buffer.Available": eCopy, "bytes.Buffer.Grow": eCopy,
	"bytes.Buffer.Read": eCopy, "bytes.Buffer.ReadByte": eCopy, "bytes.Buffer.ReadRune": eCopy,
	"bytes.Buffer.Reset": eReset, "bytes.Buffer.Truncate": eReset,
	"bytes.Buffer.Write": eWrite, "bytes.Buffer.WriteString": eWrite, "bytes.Buffer.WriteByte": eWrite, "bytes.Buffer.WriteRune": eWrite, "bytes.Buffer.ReadFrom": eWrite,
	"bytes.Buffer.WriteTo":   eDrain,
	"strings.Builder.String": eCopy, "strings.Builder.Reset": eReset, "strings.Builder.Len": eCopy,
	"strings.Builder.Write": eWrite, "strings.Builder.WriteString": eWrite, "strings.Builder.WriteByte": eWrite, "strings.Builder.WriteRune": eWrite,
	"bufio.Reader.Peek": eView, "bufio.Reader.ReadSlice": eView, "bufio.Reader.ReadLine": eView, "bufio.Scanner.Bytes": eView,
	"bufio.Scanner.Buffer": eLend, "bufio.Writer.AvailableBuffer": eView, "bufio.Reader.ReadString": eCopy, "bufio.Reader.ReadBytes": eCopy, "bufio.Scanner.Text": eCopy,
	"bytes.NewReader": eHold, "bytes.NewBuffer": eHold, "io.NopCloser": eHold, "net/http.NewRequest": eHold, "net/http.NewRequestWithContext": eHold,
	"net/http.ReadResponse": eHold, "net/http.ReadRequest": eHold, "net/http/httptest.NewRequest": eHold, "context.WithValue": eHold,
	"context.WithCancel": eHold, "context.WithCancelCause": eHold, "context.WithTimeout": eHold, "context.WithTimeoutCause": eHold, "context.WithDeadline": eHold, "context.WithDeadlineCause": eHold, "context.WithoutCancel": eHold,
	"net/mail.ReadMessage": eHold, "net/textproto.NewReader": eHold, "net/textproto.NewWriter": eHold, "net/textproto.Reader.DotReader": eHold, "bufio.NewReadWriter": eHold, "net/http.MaxBytesReader": eHold,
	"mime/multipart.Reader.NextPart": eHold, "mime/multipart.Reader.NextRawPart": eHold,
	"io.MultiReader": eHold, "io.MultiWriter": eHold, "io.TeeReader": eHold, "io.LimitReader": eHold,
	"reflect.NewAt": eHold, "reflect.Value.Elem": eHold, "reflect.Value.Field": eHold, "reflect.Value.Index": eHold, "reflect.New": eHold, "reflect.Value.FieldByName": ePlace, "reflect.Value.FieldByIndex": ePlace,
	"reflect.Value.Set": eSetIn, "reflect.Value.SetBytes": eSetIn, "reflect.Value.SetString": eSetIn, "reflect.Value.SetZero": eSetIn,
	"reflect.ValueOf": eView, "reflect.Value.Slice": eView, "reflect.Value.Slice3": eView, "reflect.Value.Interface": eView, "reflect.Value.Convert": eHold, "reflect.Value.Addr": eHold, "reflect.Indirect": eHold,
	"net/http.Request.WithContext": eHold, "net/http.Request.Clone": eHold,
	"bytes.TrimSpace": eView, "bytes.Trim": eView, "bytes.TrimLeft": eView, "bytes.TrimRight": eView, "bytes.TrimFunc": eView, "bytes.TrimPrefix": eView, "bytes.TrimSuffix": eView,
	"bytes.TrimLeftFunc": eView, "bytes.TrimRightFunc": eView, "bytes.SplitAfter": eView, "bytes.SplitAfterN": eView, "bytes.FieldsFunc": eView, "net/textproto.TrimBytes": eView, "net/textproto.TrimString": eView,
	"strings.TrimLeftFunc": eView, "strings.TrimRightFunc": eView, "strings.SplitAfter": eView, "strings.SplitAfterN": eView, "strings.FieldsFunc": eView,
	"bytes.Split": eView, "bytes.SplitN": eView, "bytes.Fields": eView, "bytes.Cut": eView, "bytes.CutPrefix": eView, "bytes.CutSuffix": eView,
	"bytes.Clone": eCopy, "strings.Clone": eCopy, "bytes.Join": eCopy, "bytes.Repeat": eCopy, "bytes.ToUpper": eCopy, "bytes.ToLower": eCopy, "bytes.ReplaceAll": eCopy,
	"strings.TrimSpace": eView, "strings.Trim": eView, "strings.TrimLeft": eView, "strings.TrimRight": eView, "strings.TrimFunc": eView, "strings.TrimPrefix": eView, "strings.TrimSuffix": eView,
	"strings.Split": eView, "strings.SplitN": eView, "strings.Fields": eView, "strings.Cut": eView, "strings.CutPrefix": eView, "strings.CutSuffix": eView,
	"regexp.Regexp.Find": eFound, "regexp.Regexp.FindAll": eFound, "regexp.Regexp.FindSubmatch": eFound, "regexp.Regexp.FindAllSubmatch": eFound,
	"regexp.Regexp.FindString": eFound, "regexp.Regexp.FindAllString": eFound, "regexp.Regexp.FindStringSubmatch": eFound, "regexp.Regexp.FindAllStringSubmatch": eFound,
	"regexp.Regexp.Split": eFound, "regexp.Regexp.Expand": eAppend, "regexp.Regexp.ExpandString": eAppend, "encoding/asn1.Unmarshal": eView,
	"log/slog.New": eHold, "log/slog.Any": eHold, "log/slog.AnyValue": eHold, "log/slog.Logger.With": eHold, "log/slog.Logger.WithGroup": eHold, "encoding/hex.Dumper": eHold,
	"io.ReadAll": eCopy, "os.ReadFile": eCopy,
	"slices.Clone": eClone, "maps.Clone": eClone,
	"slices.Grow": eAppend, "slices.Insert": eAppend, "slices.Replace": eAppend, "slices.AppendSeq": eAppend, "slices.Clip": eView, "slices.Compact": eView, "slices.CompactFunc": eView,
	"maps.Copy": eInto, "maps.Insert": eInto, "slices.Delete": eView, "slices.DeleteFunc": eView, "slices.Sorted": eCopy, "unicode/utf8.AppendRune": eAppend,
	"net/http.Client.Do": eSink, "net/http.Client.Post": eSink, "net/http.Post": eSink, "net/http.RoundTripper.RoundTrip": eSink, "net/http.Transport.RoundTrip": eSink,
	"net.UDPConn.WriteTo": eErrHold, "net.PacketConn.WriteTo": eErrHold, "net.UDPConn.WriteToUDP": eErrHold, "net.IPConn.WriteTo": eErrHold, "net.IPConn.WriteToIP": eErrHold, "net.UnixConn.WriteToUnix": eErrHold, "net.UnixConn.WriteMsgUnix": eErrHold,
	"net.UnixConn.WriteTo": eErrHold, "net.UDPConn.WriteMsgUDP": eErrHold, "net.DialUDP": eErrHold, "net.DialTCP": eErrHold, "net.ListenUDP": eErrHold, "net.ListenTCP": eErrHold,
	"os.Exit": eFatal, "log.Fatal": eFatal, "log.Fatalf": eFatal, "log.Fatalln": eFatal, "log.Panic": eFatal, "log.Panicf": eFatal, "runtime.Goexit": eFatal,
	"log.Logger.Fatal": eFatal, "log.Logger.Fatalf": eFatal, "testing.common.Fatal": eFatal, "testing.common.Fatalf": eFatal, "testing.common.FailNow": eFatal,
	"testing.common.Skip": eFatal, "testing.common.Skipf": eFatal, "testing.common.SkipNow": eFatal,
	"testing.TB.Fatal": eFatal, "testing.TB.Fatalf": eFatal, "testing.TB.FailNow": eFatal,
	spare + "/buffer.Buffer.Detach": eCopy, codec + "/httppool.Body.Bytes": eLent, "github.com/valyala/bytebufferpool.ByteBuffer.Bytes": eView, "github.com/valyala/bytebufferpool.ByteBuffer.String": eCopy,
	"google.golang.org/grpc/mem.Buffer.ReadOnlyData": eView,
	"go.uber.org/zap/buffer.Buffer.Bytes":            eView, "go.uber.org/zap/buffer.Buffer.String": eCopy, fasthttp + ".Response.Body": eView, fasthttp + ".Request.Body": eView,
	"golang.org/x/sync/errgroup.Group.Go": eStart, "golang.org/x/sync/errgroup.Group.TryGo": eStart,
	"time.Timer.Stop": eStop, "time.AfterFunc": eAfter, "context.AfterFunc": eAfter, "fmt.Errorf": eHold, "errors.Join": eHold, "errors.New": eError,
}

// effectOf is the effect of a function of the standard library, by name or by shape.
func effectOf(f *types.Func) effect {
	if f.Pkg() == nil {
		return 0
	}
	key := funcKey(f)
	if e := effects[key]; e != 0 {
		return e
	}
	if name, ok := strings.CutPrefix(key, spare+"/buffer.Buffer."); ok {
		return effects["bytes.Buffer."+name] // it has all of that type's methods, with their meaning
	}
	sig := f.Signature()
	name := f.Name()
	std := isStdPath(f.Pkg().Path())
	if sig.Params().Len() > 0 && sig.Results().Len() > 0 && isBytes(sig.Params().At(0).Type()) && isBytes(sig.Results().At(0).Type()) {
		// func AppendX(dst []byte, ...) []byte, and Seal, Open and Sum of crypto.
		switch {
		case strings.HasPrefix(name, "Append"), std && (name == "Seal" || name == "Open" || name == "Sum"):
			return eAppend
		}
	}
	if !std {
		return 0
	}
	if name == "Reset" && sig.Recv() != nil {
		return eReset
	}
	if f.Pkg().Path() == "math/big" && sig.Recv() != nil && sig.Results().Len() == 1 && isPtr(sig.Recv().Type()) && types.Identical(sig.Recv().Type(), sig.Results().At(0).Type()) {
		return eSelf // by that package's convention
	}
	if strings.HasPrefix(name, "New") && sig.Recv() == nil {
		for p := range sig.Params().Variables() {
			if n, ok := types.Unalias(p.Type()).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "io" {
				return eHold
			}
		}
	}
	return 0
}

func isBytes(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// What holds a value, as messages name it.
const (
	timerFunc = "the function of the timer"
	endFunc   = "the function that runs when the context ends"
	receiver  = "the receiver from the channel"
)

// known0 follows a call of a function whose effect is known by name.
func (a *analysis) known0(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) ([]outcome, bool) {
	f := target.method
	one := func(x *sym) ([]outcome, bool) { return []outcome{{st, x}}, true }
	if f.Pkg() != nil && f.Pkg().Path() == "sync" || f.Pkg() != nil && f.Pkg().Path() == "sync/atomic" {
		return a.syncCall(st, i, target, args, c)
	}
	e := a.named(f).effect
	if e == 0 {
		return nil, false
	}
	if e == eFatal {
		return nil, true
	}
	if e == ePlace || e == eSetIn {
		if _, ok := placedAt(plain(args[0])); !ok {
			return nil, false
		}
	}
	turned := retargets(e, args, argType(c, 0))
	if turned {
		set(&st.detached, plain(args[0]), true)
	}
	for n, x := range args {
		if hasPointers0(x) && !(turned && n == 0 && st.rel[plain(x)] == nil) {
			r := a.released(st, x)
			if r == nil && e == eCopy {
				r = a.streamOver(st, x, argType(c, n))
			}
			if r != nil {
				a.reportUse(st, i, x, r, "used by "+f.Name())
			}
		}
	}
	if f.Signature().Recv() != nil && e != eReset && len(args) > 0 {
		a.noteTarget(st, i, args[0], argType(c, 0), f.Name())
	}
	a.noteReadFull(st, i, a.named(f).key, args)
	res := c.Signature().Results()
	result := func(first *sym) *sym {
		switch res.Len() {
		case 0:
			return a.syms.null()
		case 1:
			return first
		}
		parts := []*sym{first}
		a.opaque(st, i, 0, res.At(0).Type())
		for k := 1; k < res.Len(); k++ {
			p := a.opaque(st, i, k, res.At(k).Type())
			if e == eView && (isBytes(res.At(k).Type()) || isString(res.At(k).Type())) {
				p = first
			}
			parts = append(parts, p)
		}
		return a.tuple(parts...)
	}
	switch e {
	case eView:
		if lent := st.mem[a.syms.hidden(plain(args[0]))]; lent != nil && funcKey(f) == "bufio.Scanner.Bytes" {
			return one(a.syms.view(lent, res.At(0).Type()))
		}
		return one(result(a.viewNow(st, plain(args[0]), res.At(0).Type())))
	case eFound:
		return one(a.viewNow(st, plain(args[1]), res.At(0).Type()))
	case eHold:
		var parts []*sym
		for n, x := range args {
			x = plain(x)
			if (f.Name() == "Errorf" || f.Name() == "Join") && n > 0 && x.kind == kView {
				x = x.a
			}
			if !hasPointers0(x) || x.kind == kConst || x.kind == kNil {
				continue
			}
			if f.Name() == "Errorf" || f.Name() == "Join" {
				// The operands are in the slice of arguments: errors among them are kept.
				a.reach(st, x, func(y *sym) bool {
					if f.Name() == "Errorf" && !wraps(args[0]) {
						return false // formatted
					}
					if y.kind == kHold || y.kind == kAlloc && y.typ != nil && types.Implements(y.typ, errorType) {
						parts = append(parts, y)
						return false
					}
					return true
				})
				continue
			}
			if base := a.elemBase(st, x); varargs(base) {
				parts = append(parts, a.elements(st, base)...)
				continue
			}
			parts = append(parts, x)
		}
		if f.Name() == "Join" && len(parts) == 0 {
			if !a.joinsError(st, args) {
				return nil, false // nil if all its arguments are
			}
			if h := a.syms.hold(res.At(0).Type()); a.noteWrapped(st, h, f.Name(), args) {
				return one(h)
			}
			x := a.opaque(st, i, 0, res.At(0).Type())
			st.truth[a.syms.nilTest(x)] = false
			return one(x)
		}
		h := a.syms.hold(res.At(0).Type(), parts...)
		a.noteWrapped(st, h, f.Name(), args)
		a.noteContext(f, h, args)
		a.noteRequest(st, i, f, h, args)
		a.place(f, h, args)
		if res.Len() == 1 {
			return one(h)
		}
		if errorIgnored(i) {
			return one(a.tuple(h, a.syms.null()))
		}
		// The result or an error.
		failed := st.clone()
		err := a.opaque(failed, i, 1, res.At(1).Type())
		failed.truth[a.syms.nilTest(err)] = false
		return []outcome{
			{st, a.tuple(h, a.syms.null())},
			{failed, a.tuple(a.syms.null(), err)},
		}, true
	case eAppend:
		x := args[0]
		if c.Signature().Recv() != nil && len(args) > 1 {
			x = args[1]
		}
		if x.kind == kNil {
			s := a.make(st, kAlloc, i, 0, res.At(0).Type())
			a.inserted(st, f, s, args)
			return one(result(s))
		}
		s := a.makeOf(st, kAppend, i, 0, res.At(0).Type(), x)
		a.inserted(st, f, s, args)
		a.noteAppend(st, i, x, s, c)
		return one(result(s))
	case ePlace:
		h := a.syms.hold(res.At(0).Type())
		a.place(f, h, args)
		return one(h)
	case eSetIn:
		a.setByReflection(st, i, args)
		return one(a.syms.null())
	case eInto:
		a.copiedInto(st, i, args)
		return one(a.syms.null())
	case eCopy:
		if k := measure(f.Name()); k != kOpaque && len(args) == 1 {
			return one(a.makeOf(st, k, i, 0, res.At(0).Type(), plain(args[0])))
		}
		for n, x := range args {
			if n > 0 {
				a.noteDrain(st, x)
			}
		}
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eClone:
		s := a.make(st, kAlloc, i, 0, res.At(0).Type())
		src := a.elemBase(st, args[0])
		copied := false
		for _, k := range sortedKeys(st.mem) {
			if k.kind == kElem && k.a == src {
				st.mem[a.syms.elem(s, k.b, nil)] = st.mem[k]
				copied = true
			}
		}
		if !copied {
			if sl, ok := res.At(0).Type().Underlying().(*types.Slice); ok {
				zero := a.syms.constant(constInt(0), types.Typ[types.Int])
				a.write(st, a.syms.elem(s, zero, nil), a.read(st, a.syms.elem(src, zero, nil), sl.Elem()))
			}
		}
		return one(s)
	case eReset:
		x := plain(args[0])
		a.havocContent(st, x)
		a.noteReset(st, i, x)
		if len(args) > 1 && hasPointers0(args[1]) {
			st.mem[a.syms.hidden(x)] = args[1]
			if isWriter(argType(c, 1)) {
				a.noteWriter(st, i, args[1], argType(c, 1), f.Name())
			}
		}
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eWrite:
		a.noteWrite(st, i, plain(args[0]), true)
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eDrain:
		if readToEnd(i) {
			a.noteDrain(st, args[0])
		}
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eSelf:
		return one(args[0])
	case eLent:
		return one(a.syms.view(a.syms.lent(plain(args[0])), res.At(0).Type()))
	case eLend:
		st.mem[a.syms.hidden(plain(args[0]))] = args[1]
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eError:
		x := a.opaque(st, i, 0, res.At(0).Type())
		st.truth[a.syms.nilTest(x)] = false
		return one(x)
	case eAfter:
		fn, free := plain(args[1]).function()
		if fn == nil || a.relevant[fn] {
			return nil, false // it may put what it holds
		}
		st.gos = append(slices.Clip(st.gos), &spawn{event: st.here(i), holds: free, sink: timerOf(f)})
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eStop:
		st.gos = slices.DeleteFunc(slices.Clone(st.gos), func(g *spawn) bool { return g.sink == timerFunc })
		st.content[memory(args[0])] = isReset
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eStart:
		a.startFunc(st, i, args[1])
		return []outcome{{st, a.opaqueResult(st, i, c)}}, true
	case eSink:
		var holds []*sym
		for n, x := range args {
			if n > 0 && hasPointers0(x) {
				holds = append(holds, x)
			}
		}
		var outs []outcome
		closed, ok := a.transportCloses(st, i, args, c)
		for _, s := range closed {
			if !ok {
				outs = append(outs, a.inTransport(s, i, c, holds)...)
			} else {
				outs = append(outs, outcome{s, a.opaqueResult(s, i, c)})
			}
		}
		return outs, true
	case eErrHold:
		okState := st.clone()
		n := res.Len()
		fine := make([]*sym, n)
		bad := make([]*sym, n)
		for k := range n {
			fine[k] = a.opaque(okState, i, k, res.At(k).Type())
			bad[k] = a.opaque(st, i, k, res.At(k).Type())
		}
		fine[n-1] = a.syms.null()
		var parts []*sym
		for k, x := range args {
			if k > 0 && hasPointers0(x) && !isBytes(argType(c, k)) {
				parts = append(parts, plain(x))
			}
		}
		bad[n-1] = a.syms.hold(res.At(n-1).Type(), parts...)
		return []outcome{{okState, a.tuple(fine...)}, {st, a.tuple(bad...)}}, true
	}
	return nil, false
}

// wraps reports whether the format of an error keeps an operand.
func wraps(format *sym) bool {
	return format.kind == kConst && format.val != nil && format.val.Kind() == constant.String && strings.Contains(constant.StringVal(format.val), "%w")
}

// measure is the kind of what a method of that name tells of its receiver.
func measure(name string) kind {
	switch name {
	case "Cap", "Size":
		return kCap
	case "Len":
		return kLen
	}
	return kOpaque
}

func isWriter(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range it.Methods() {
		if m.Name() == "Write" {
			return true
		}
	}
	return false
}

// havocContent forgets the hidden content of an object of an opaque type.
func (a *analysis) havocContent(st *state, x *sym) {
	delete(st.mem, a.syms.hidden(x))
}

// mayGuardPut reports whether what a function asks by a CompareAndSwap may be whether something was put already: it puts,
// or tells its caller, by what it returns or by a function that it was given. Where all that it tells are functions of the package
// that do neither, it guards none.
func (a *analysis) mayGuardPut(fn *ssa.Function, depth int) bool {
	if a.handles[fn] || a.relevant[fn] || fn.Parent() != nil {
		return true
	}
	for i := range instrsOf(fn) {
		if c, ok := i.(ssa.CallInstruction); ok && c.Common().StaticCallee() == nil {
			if _, plain := c.Common().Value.(*ssa.Builtin); !plain {
				return true
			}
		}
	}
	if fn.Signature.Results().Len() == 0 {
		return false
	}
	calls := a.callsOf(fn)
	s := a.uses().sites
	if depth > 2 || len(calls) == 0 || token.IsExported(fn.Name()) || s.taken[fn] || len(s.invokes[fn.Name()]) > 0 {
		return true
	}
	return slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return a.mayGuardPut(c.Parent(), depth+1) })
}

// syncCall follows calls of sync and sync/atomic.
func (a *analysis) syncCall(st *state, i ssa.CallInstruction, target callee, args []*sym, c *ssa.CallCommon) ([]outcome, bool) {
	f := target.method
	if a.countsOn(st, f, args) {
		return nil, true
	}
	for n, x := range args {
		if n == 0 && f.Signature().Recv() != nil || hasPointers0(x) {
			if r := a.released(st, x); r != nil && strings.HasPrefix(f.Name(), "Add") && countsAgain(r, st.f.fn, args[len(args)-1]) {
				ev := st.here(i)
				a.reportDouble(st, x, r, &ev, r.pool0())
			} else if r != nil && (!strings.HasPrefix(f.Name(), "CompareAndSwap") || !a.mayGuardPut(st.f.fn, 0)) {
				a.reportUse(st, i, x, r, "used by "+f.Name())
			}
		}
	}
	opaque := func() ([]outcome, bool) { return []outcome{{st, a.opaqueResult(st, i, c)}}, true }
	key := a.named(f).key
	switch key {
	case "sync.Once.Do":
		done := a.syms.field(args[0], nil, -2)
		if v := st.mem[done]; v != nil {
			return opaque()
		}
		fn, free := plain(args[1]).function()
		st.mem[done] = a.syms.boolean(true)
		if fn == nil {
			return opaque()
		}
		if args[0].base().kind != kAlloc {
			// It may have run before.
			before := st.clone()
			before.again = true
			if outs, ok := a.inline(st, i, fn, nil, free); ok {
				a.onceAfter(outs, i, args[0])
				return append(outs, outcome{before, a.syms.null()}), true
			}
			return []outcome{{st, a.syms.null()}}, true
		}
		if outs, ok := a.inline(st, i, fn, nil, free); ok {
			a.onceAfter(outs, i, args[0])
			return outs, true
		}
		return opaque()
	case "sync.Cond.Wait":
		st.running = nil
		a.afterSignal(st)
		return opaque()
	case "sync.WaitGroup.Wait":
		a.groupAwaited(st, args[0])
		st.gos = nil
		st.join(args[0])
		return opaque()
	case "sync.WaitGroup.Go":
		a.startFunc(st, i, args[1])
		return opaque()
	}
	if strings.HasPrefix(key, "sync.Map.") {
		switch f.Name() {
		case "Swap":
			return a.swapEntry(st, i, args, c), true
		case "CompareAndSwap":
			return a.swapEntryIf(st, i, args), true
		case "Store", "LoadOrStore":
			if outs, ok := a.loadOrStore(st, i, args, c); ok {
				return outs, true
			}
			addr := a.syms.elem(a.syms.cell(args[0]), plain(args[1]), nil)
			a.write(st, addr, args[2])
			a.noteStore(st, i, addr, args[2])
		case "Delete", "LoadAndDelete", "CompareAndDelete", "Clear":
			a.deleteFrom(st, args[0])
		}
		return opaque()
	}
	if f.Pkg().Path() == "sync" && !strings.HasPrefix(key, "sync.Map.") && !strings.HasPrefix(key, "sync.Once") {
		return opaque() // locks hold nothing of ours
	}
	if f.Pkg().Path() != "sync/atomic" || len(args) == 0 {
		return nil, false
	}
	name := f.Name()
	addr := args[0]
	if f.Signature().Recv() != nil {
		// atomic.Bool and friends: the value lives in a hidden field.
		addr = a.syms.cell(addr)
	}
	rest := args[1:]
	res := c.Signature().Results()
	cell := func(t types.Type) *sym {
		if v := st.mem[addr]; v != nil {
			return v
		}
		if addr.root().kind == kAlloc && st.epochOf(addr) == 0 {
			return a.syms.zero(t)
		}
		return a.syms.load(addr, st.epochOf(addr), t)
	}
	switch {
	case strings.HasPrefix(name, "Load"):
		if st.mem[addr] == nil && st.counted[addr] {
			// What is left of a number that was counted up or down here.
			return []outcome{{st, a.make(st, kAtomic, i, 0, res.At(0).Type())}}, true
		}
		return []outcome{{st, cell(res.At(0).Type())}}, true
	case strings.HasPrefix(name, "Store"):
		if len(rest) > 0 {
			st.mem[addr] = rest[0]
			a.ownFrom(st, addr, rest[0])
			a.noteStore(st, i, addr, rest[0])
		}
		return opaque()
	case strings.HasPrefix(name, "Swap"):
		old := cell(res.At(0).Type())
		st.mem[addr] = rest[0]
		return []outcome{{st, old}}, true
	case strings.HasPrefix(name, "CompareAndSwap"):
		test := a.equalTest(cell(argType(c, 1)), rest[0])
		if v, ok := a.known(st, test); ok {
			if v {
				st.mem[addr] = rest[1]
			}
			return []outcome{{st, a.syms.boolean(v)}}, true
		}
		lost := st.clone()
		a.assume(st, test, true)
		st.mem[addr] = rest[1]
		a.assume(lost, test, false)
		a.leftToWinner(lost, addr, rest[0])
		return []outcome{{st, a.syms.boolean(true)}, {lost, a.syms.boolean(false)}}, true
	case strings.HasPrefix(name, "Add"):
		if len(rest) == 1 && a.countsOut(st, addr, rest[0]) {
			return []outcome{{st, a.syms.constant(constInt(0), res.At(0).Type())}}, true
		}
		if len(rest) == 1 {
			if n, ok := a.allCounted(st, addr, rest[0]); ok {
				return []outcome{{st, a.syms.constant(n, res.At(0).Type())}}, true
			}
		}
		set(&st.counted, addr, true)
		if len(rest) == 1 && a.ownCounted(st, addr, rest[0]) {
			return []outcome{{st, a.opaque(st, i, 0, res.At(0).Type())}}, true
		}
		n := a.make(st, kAtomic, i, 0, res.At(0).Type())
		if len(rest) == 1 {
			a.someLeft(st, addr, rest[0], n)
		}
		return []outcome{{st, n}}, true
	}
	return opaque()
}

// onceAfter sees Do return: it writes to its Once after the function that it called.
func (a *analysis) onceAfter(outs []outcome, i ssa.CallInstruction, once *sym) {
	for _, o := range outs {
		if r := a.released(o.st, once); r != nil && !r.async {
			a.reportUse(o.st, i, once, r, "unlocked by the Once in it")
		}
	}
}

func (a *analysis) equalTest(x, y *sym) *sym {
	c, _ := a.syms.compare(token.EQL, x, y)
	return c
}
