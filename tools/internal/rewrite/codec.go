// SPDX-License-Identifier: BSD-3-Clause

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// members are what gzippool's and zstdpool's handles have of the types whose
// place they take.
var members = map[string]map[string]bool{
	"gzip-writer": {"Write": true, "Flush": true, "Close": true, "Reset": true, "Header": true, "Name": true, "Comment": true, "Extra": true, "ModTime": true, "OS": true},
	"gzip-reader": {"Read": true, "Close": true, "Reset": true, "Multistream": true, "Header": true, "Name": true, "Comment": true, "Extra": true, "ModTime": true, "OS": true},
	"zstd-writer": {"Write": true, "Flush": true, "Close": true},
	"zstd-reader": {"Read": true, "Close": true},
}

// codec puts a gzip or zstd codec on codec/gzippool or codec/zstdpool.
func (p *proposer) codec(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	if p.assigned(c.obj) {
		return nil, refuse("the variable gets another value later (line %d)", p.line(p.assignments(c.obj)[0].Pos()))
	}
	call := c.ctor.(*ast.CallExpr)
	fn := p.callee(call)
	closes, deferredClose := false, false
	for _, u := range p.uses(c.obj) {
		switch par := u.path[0].(type) {
		case *ast.SelectorExpr:
			if !members[c.kind][par.Sel.Name] {
				return nil, refuse("line %d uses %s, which the pool's codec does not have", p.line(par.Pos()), par.Sel.Name)
			}
			if par.Sel.Name == "Close" {
				closes = true
				if len(u.path) > 2 {
					if _, ok := u.path[2].(*ast.DeferStmt); ok {
						deferredClose = true
					}
				}
				if _, isCall := u.path[1].(*ast.CallExpr); !isCall && c.kind == "zstd-reader" {
					return nil, refuse("line %d takes Close as a value, whose type would change", p.line(par.Pos()))
				}
			}
			continue
		default:
			if isComparison(par) || p.toInterface(u.id, u.path) {
				continue
			}
		}
		return nil, refuse("line %d uses it as a %s, which it would be no more", p.line(u.id.Pos()), types.TypeString(c.obj.Type(), nil))
	}
	v, err := p.value(c, s)
	if err != nil {
		return nil, err
	}
	if _, err := p.stays(c, s, v, func(f *types.Func) (class, bool) { return 0, true }, nil); err != nil {
		return nil, err
	}

	d := p.draft()
	std := strings.HasPrefix(fn.FullName(), "compress/")
	format, _, _ := strings.Cut(c.kind, "-")
	pkg := d.use(CodecModule + "/" + format + "pool")
	// The standard library's streams stay byte for byte what they were, and so do
	// the windows that a decoder accepts.
	owner := pkg
	switch {
	case format == "gzip" && std:
		owner = d.pool(c.stmt, p.poolName(c, "Codecs"), "lends "+c.obj.Name()+" its tables.", "= "+pkg+".Pool{Backend: "+pkg+".Standard}")
	case c.kind == "zstd-reader":
		zstd := d.use("github.com/klauspost/compress/zstd")
		owner = d.pool(c.stmt, p.poolName(c, "Codecs"), "lends "+c.obj.Name()+" its tables.", "= "+pkg+".Pool{MaxWindow: "+zstd+".MaxWindowSize}")
	}
	text := ""
	arg := p.text(call.Args[0])
	if format == "zstd" && p.info.Types[call.Args[0]].IsNil() {
		return nil, refuse("it is made without a stream, for EncodeAll or DecodeAll")
	}
	switch c.kind {
	case "gzip-writer":
		text = owner + ".Get(" + arg + ")"
		if len(call.Args) == 2 {
			text = owner + ".GetLevel(" + arg + ", " + p.text(call.Args[1]) + ")"
		}
	case "gzip-reader", "zstd-reader":
		if len(call.Args) > 1 {
			return nil, refuse("it has options, which a pool of its own would need")
		}
		text = owner + ".GetReader(" + arg + ", " + pkg + ".NoLimit)"
	case "zstd-writer":
		level := ""
		for _, o := range call.Args[1:] {
			opt, ok := ast.Unparen(o).(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() || p.callee(opt) == nil {
				return nil, refuse("it has options that are not calls")
			}
			switch p.callee(opt).Name() {
			case "WithEncoderLevel":
				level = p.text(opt.Args[0])
			case "WithEncoderConcurrency":
				if k := p.info.Types[opt.Args[0]].Value; k == nil || k.String() != "1" {
					return nil, refuse("it compresses on several goroutines, which pooled codecs do not")
				}
			default:
				return nil, refuse("it has the option %s, which a pool of its own would need", p.callee(opt).Name())
			}
		}
		if level == "" {
			level = d.use("github.com/klauspost/compress/zstd") + ".SpeedDefault"
		}
		text = owner + ".GetLevel(" + arg + ", " + level + ")"
	}
	d.replace(call, "%s", text)
	put := pkg + ".Put("
	if strings.HasSuffix(c.kind, "reader") {
		put = pkg + ".PutReader("
	}
	put += c.obj.Name() + ")"
	switch {
	case deferredClose && s.loop == nil:
		// Close gives the codec back.
	case s.loop != nil && closes:
		// A codec that is not closed, after an error, is left to the collector.
	case s.loop != nil:
		if err := d.atExits(c, s, put); err != nil {
			return nil, err
		}
	default:
		d.after(p.errCheck(c, s), "defer "+put)
	}
	alone := ""
	if format == "zstd" {
		alone = "; it works on one goroutine"
	}
	return d.change(c, c.kind, "the %s %s comes from %spool and goes back at Close%s%s", strings.ReplaceAll(c.kind, "-", " "), c.obj.Name(), format, atEnd(deferredClose, s), alone)
}

func atEnd(deferredClose bool, s *scope) string {
	if deferredClose || s.loop != nil {
		return ""
	}
	return " or at the end of the function"
}

// jsonEncoder puts json.NewEncoder(w).Encode(v) on codec/jsonpool.
func (p *proposer) jsonEncoder(c *candidate) (*Change, error) {
	call, ok := c.ctor.(*ast.CallExpr)
	if !ok {
		return nil, refuse("its encoder cannot be found")
	}
	d := p.draft()
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Encode" && c.obj == nil {
		inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			return nil, refuse("its encoder cannot be found")
		}
		d.replace(call, "%s.Encode(%s, %s)", d.use(CodecModule+"/jsonpool"), p.text(inner.Args[0]), p.text(call.Args[0]))
		return d.change(c, c.kind, "json.NewEncoder(%s).Encode becomes jsonpool.Encode", p.text(inner.Args[0]))
	}
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	w, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return nil, refuse("its writer %s is not a variable", p.text(call.Args[0]))
	}
	if v, ok := p.info.Uses[w].(*types.Var); !ok || p.assignedAfter(v, c.stmt.Pos()) || v.Parent() == p.pkg.Types.Scope() {
		return nil, refuse("its writer %s may change before it encodes", w.Name)
	}
	var encode *ast.CallExpr
	codec := map[string]string{}
	for _, u := range p.uses(c.obj) {
		sel, ok := u.path[0].(*ast.SelectorExpr)
		if !ok {
			return nil, refuse("line %d passes the encoder on", p.line(u.id.Pos()))
		}
		m, ok := u.path[1].(*ast.CallExpr)
		if !ok || m.Fun != sel {
			return nil, refuse("line %d uses the encoder in another way than by its methods", p.line(u.id.Pos()))
		}
		switch sel.Sel.Name {
		case "Encode":
			if encode != nil {
				return nil, refuse("it encodes several values, after an error of one of which it refuses the rest")
			}
			for _, n := range u.path {
				if n == s.fn {
					break
				}
				switch n := n.(type) {
				case *ast.ForStmt, *ast.RangeStmt:
					if n != s.loop {
						return nil, refuse("it encodes in a loop: after an error it refuses the rest")
					}
				case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
					return nil, refuse("it encodes in a function of its own, or later")
				}
			}
			encode = m
		case "SetEscapeHTML", "SetIndent":
			st, ok := u.path[2].(*ast.ExprStmt)
			if !ok || !slices.Contains(s.list, ast.Stmt(st)) {
				return nil, refuse("line %d sets the encoder up under a condition", p.line(u.id.Pos()))
			}
			for i, a := range m.Args {
				v := p.info.Types[a].Value
				if v == nil {
					return nil, refuse("line %d sets the encoder up with what is not a constant", p.line(u.id.Pos()))
				}
				switch {
				case sel.Sel.Name == "SetEscapeHTML":
					delete(codec, "NoEscapeHTML")
					if v.String() == "false" {
						codec["NoEscapeHTML"] = "true"
					}
				case i == 0:
					codec["Prefix"] = v.ExactString()
				default:
					codec["Indent"] = v.ExactString()
				}
			}
			d.remove(st)
		}
	}
	if encode == nil {
		return nil, refuse("it encodes nothing")
	}
	pkg := d.use(CodecModule + "/jsonpool")
	owner := pkg
	if len(codec) > 0 {
		var fields []string
		for _, k := range []string{"NoEscapeHTML", "Prefix", "Indent"} {
			if v, ok := codec[k]; ok {
				fields = append(fields, k+": "+v)
			}
		}
		owner = d.pool(c.stmt, p.poolName(c, "JSON"), "encodes as the function's encoder did.",
			"= "+pkg+".Config{Codec: &"+pkg+".Standard{"+strings.Join(fields, ", ")+"}}")
	}
	d.remove(c.stmt)
	d.replace(encode.Fun, "%s.Encode", owner)
	d.insert(encode.Lparen+1, w.Name+", ")
	return d.change(c, c.kind, "the json.Encoder %s becomes %s.Encode", c.obj.Name(), owner)
}

func (p *proposer) assignedAfter(v *types.Var, pos token.Pos) bool {
	for _, as := range p.assignments(v) {
		if as.Pos() > pos || as.TokPos > pos {
			return true
		}
	}
	for _, u := range p.uses(v) {
		if un, ok := u.path[0].(*ast.UnaryExpr); ok && un.Op == token.AND {
			return true
		}
	}
	return false
}

// jsonDecoder puts the decoding of bytes in memory on codec/jsonpool.
func (p *proposer) jsonDecoder(c *candidate) (*Change, error) {
	call := c.ctor.(*ast.CallExpr)
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Decode" || c.obj != nil {
		return nil, refuse("a json.Decoder that is kept in a variable may read value after value, which jsonpool does not")
	}
	inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return nil, refuse("its decoder cannot be found")
	}
	src, ok := ast.Unparen(inner.Args[0]).(*ast.CallExpr)
	name := ""
	if ok && p.callee(src) != nil {
		name = p.callee(src).FullName()
	}
	switch name {
	case "bytes.NewReader", "strings.NewReader", "bytes.NewBuffer", "bytes.NewBufferString":
	default:
		return nil, refuse("a json.Decoder stops behind the first value, jsonpool reads %s to its end: on a connection that stays open it would wait, and a body may be longer than its value", p.text(inner.Args[0]))
	}
	d := p.draft()
	pkg := d.use(CodecModule + "/jsonpool")
	base := p.callee(call).Name()
	for _, n := range p.path(call) {
		if fn, ok := n.(*ast.FuncDecl); ok {
			base = lower(fn.Name.Name)
		}
	}
	owner := d.pool(call, base+"JSON", "decodes the first value of a document, as a json.Decoder does.", "= "+pkg+".Config{Flags: "+pkg+".AllowTrailingData}")
	d.replace(call, "%s.Decode(%s, %s)", owner, p.text(src), p.text(call.Args[0]))
	return d.change(c, c.kind, "the json.Decoder becomes a jsonpool.Config; the error for a document that ends early is another: a json.SyntaxError instead of io.ErrUnexpectedEOF")
}

// jsonMarshal puts the bytes of json.Marshal on a spare.Slices.
func (p *proposer) jsonMarshal(c *candidate) (*Change, error) {
	s, err := p.scope(c)
	if err != nil {
		return nil, err
	}
	v, err := p.value(c, s)
	if err != nil {
		return nil, err
	}
	t, err := p.stays(c, s, v, nil, nil)
	if err != nil {
		return nil, err
	}
	if t.compared || t.capacity {
		return nil, refuse("its capacity is asked for, or it is compared with nil")
	}
	if t.boxed {
		return nil, refuse("it becomes an interface value, in which nil is not empty")
	}
	d := p.draft()
	pool := d.pool(c.stmt, p.poolName(c, "Slices"), "lends "+c.obj.Name()+" its array.", d.use(SpareModule)+".Slices[byte]")
	call := c.ctor.(*ast.CallExpr)
	d.replace(call, "%s.Append(%s.Get(0), %s)", d.use(CodecModule+"/jsonpool"), pool, p.text(call.Args[0]))
	put := pool + ".Put(" + c.obj.Name() + ")"
	if s.loop != nil || t.deferred || p.assigned(c.obj) || d.atEnds(c, s, put) != nil {
		if err := d.put(c, s, c.stmt, put); err != nil {
			return nil, err
		}
	}
	return d.change(c, c.kind, "json.Marshal into %s becomes jsonpool.Append to an array of a spare.Slices", c.obj.Name())
}
