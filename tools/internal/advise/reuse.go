// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/format"
)

// A reuse is what can be done about a site, if its values die young.
type reuse struct {
	verdict string // PoolIt, FixEscape, Retained or NotWorth
	with    string // the type of spare, or "" for what needs none
	advice  string
	change  string // what becomes of the site's line; "" if there is no one line

	// saved is the share of the site's bytes that goes away. If it is not any of
	// them, only are the functions that take the memory which goes away.
	saved [2]float64
	only  *regexp.Regexp

	// handle is what taking a value and giving it back costs instead, in Get and Put
	// of a sync.Pool, and reset what it costs to make it as new, in nanoseconds.
	handle, reset [2]float64

	// once says that a value is taken from the pool as a whole, however many objects
	// it is made of.
	once bool

	// byHand is why the change is none that a program can make; "" if it may be.
	byHand string

	// faster is the share of the work of the value's methods that the
	// replacement saves beyond allocation, where it is another implementation.
	faster [2]float64
}

// Costs, in Get and Put of a sync.Pool on the machine at hand, which are measured
// (see package poolcost). The low ends are those of a warm loop of nothing else; the
// high ends have a deferred function, the clearing of pointers, and caches that hold
// other things. For the JSON functions it is what they take beyond those of
// encoding/json, without the allocations that these make.
var (
	poolCost   = [2]float64{0.8, 2}   // Get and Put of a spare.Pool
	sliceCost  = [2]float64{0.9, 2.2} // Get and Put of a spare.Slices
	bufferCost = [2]float64{0.2, 2}   // buffer.Get and Release; New has no pool behind 64 bytes
	jsonCost   = [2]float64{3, 8}     // a slice, and the encoder that fills it
	decodeCost = [2]float64{3, 12}    // a pooled value, and the clearing of what it held
	streamCost = [2]float64{0, 20}    // a pooled value, and a buffer that takes all of the stream before it is decoded
	codecCost  = [2]float64{2, 15}    // a codec pool, which puts the parts of a codec together
)

// usualPool is what Get and Put of a sync.Pool take where nobody measured, in
// nanoseconds.
var usualPool = [2]float64{8, 16}

// A rule is what to do with the values of some makers.
type rule struct {
	match *regexp.Regexp      // of Maker or Owner, with the whole import path
	reuse func(s *site) reuse // nil: the value is a string
}

const (
	codecPath  = "github.com/spare-go/spare/codec/"
	bufferPath = "github.com/spare-go/spare/buffer"
)

// rules are tried in order. They are made when they are needed, as every run of spare as a
// vet tool would wait for them.
var rules = sync.OnceValue(func() []rule {
	return []rule{
		{regexp.MustCompile(`^(bytes\.Buffer|bytes\.NewBuffer(String)?|bytes\.\(\*Buffer\)\.(grow|Grow|Write|WriteString|ReadFrom|WriteByte|WriteRune))$`), bufferReuse},
		{regexp.MustCompile(`^strings\.(Builder|\(\*Builder\)\..*)$`), builderReuse},
		{regexp.MustCompile(`^compress/gzip\.(Writer|NewWriter(Level)?|\(\*Writer\)\..*)$`), codecReuse("gzippool", "Get", [2]float64{0.5, 0.8})},
		{regexp.MustCompile(`^compress/gzip\.(Reader|NewReader|\(\*Reader\)\..*)$`), codecReuse("gzippool", "GetReader", [2]float64{0.2, 0.6})},
		{regexp.MustCompile(`^github\.com/klauspost/compress/gzip\.(Writer|NewWriter(Level)?|\(\*Writer\)\..*)$`), codecReuse("gzippool", "Get", [2]float64{})},
		{regexp.MustCompile(`^github\.com/klauspost/compress/zstd\.(Encoder|NewWriter)$`), codecReuse("zstdpool", "Get", [2]float64{})},
		{regexp.MustCompile(`^github\.com/klauspost/compress/zstd\.(Decoder|NewReader)$`), codecReuse("zstdpool", "GetReader", [2]float64{})},
		{regexp.MustCompile(`^encoding/json\.Marshal(Indent)?$`), jsonMarshalReuse},
		{regexp.MustCompile(`^encoding/json\.(Unmarshal|Decoder|NewDecoder|\(\*Decoder\)\..*)$`), jsonDecodeReuse},
		{regexp.MustCompile(`^encoding/json\.(Encoder|NewEncoder|\(\*Encoder\)\..*)$`), func(*site) reuse {
			return reuse{verdict: PoolIt, with: codecPath + "jsonpool", saved: [2]float64{0.8, 1}, handle: poolCost,
				advice: "encode with jsonpool.Encode, which keeps its encoders", change: "err := jsonpool.Encode(w, v)"}
		}},
		{regexp.MustCompile(`^(io|io/ioutil)\.ReadAll$`), func(*site) reuse {
			return reuse{verdict: PoolIt, with: bufferPath, saved: [2]float64{0.95, 1}, handle: bufferCost,
				advice: "read into a *buffer.Buffer: the data is then its Bytes(), which must not be used after Release, by whoever it was passed to either",
				change: "$v := buffer.Get(); defer $v.Release(); _, err := $v.ReadFrom(...)"}
		}},
		{regexp.MustCompile(`^bufio\.(NewReader|NewWriter|NewReaderSize|NewWriterSize|Reader|Writer)$`), func(s *site) reuse {
			return resettable(s, "a bufio.Reader or bufio.Writer")
		}},
		{regexp.MustCompile(`^bufio\.(NewScanner|Scanner|\(\*Scanner\)\..*)$`), func(*site) reuse {
			return reuse{verdict: PoolIt, with: "spare.Slices[byte]", saved: [2]float64{0.9, 1}, handle: sliceCost,
				advice: "give the scanner a buffer from a spare.Slices[byte] with its Buffer method, and put it back after the last Scan", change: "$v.Buffer(pool.Get(4096), max)"}
		}},
		{regexp.MustCompile(`^(crypto/(md5|sha1|sha256|sha512|hmac)|hash/.*|github\.com/cespare/xxhash.*)\.New\w*$`), func(s *site) reuse { return resettable(s, "a hash") }},
		{regexp.MustCompile(`^compress/(flate|zlib|lzw|bzip2)\.New\w*$`), func(s *site) reuse { return resettable(s, "a codec") }},
		{regexp.MustCompile(`^(strings|bytes)\.NewReader$`), tinyReuse},
		{regexp.MustCompile(`^(regexp\.(Must)?Compile\w*|(text|html)/template\..*(Parse|New)\w*)$`), func(*site) reuse {
			return reuse{verdict: FixEscape, saved: [2]float64{0.95, 1}, advice: "make it once, in a package-level variable: the result is the same each time, and safe for concurrent use"}
		}},
		{regexp.MustCompile(`^time\.(NewTimer|After|NewTicker|newTimer)$`), func(*site) reuse {
			return reuse{verdict: PoolIt, with: "spare.Pool[time.Timer]", saved: [2]float64{0.9, 1}, handle: poolCost,
				advice: "reuse the timer with Reset; a pool of timers is per instance, so that a synctest bubble can own it", change: "$v := pool.Get(); $v.Reset(d); defer pool.Put($v)"}
		}},
		{regexp.MustCompile(`^(fmt\.(Sprint|Sprintf|Sprintln)|strconv\.(Itoa|Format\w+|Quote\w*|itoa|formatBits)|time\.Time\.Format|time\.Time\.String|time\.Duration\.String)$`), nil},
		{regexp.MustCompile(`^(fmt\.(Errorf)|errors\.(New|Join))$`), func(*site) reuse {
			return reuse{verdict: NotWorth, advice: "an error is kept by whoever wants to: where it is made often, make it once in a package-level variable and wrap at the edge"}
		}},
		{regexp.MustCompile(`^(strings\.\w+|bytes\.\(\*Buffer\)\.String|strings\.\(\*Builder\)\.String|encoding/\w+\.\(\*Encoding\)\.EncodeToString|encoding/hex\.EncodeToString)$`), func(*site) reuse {
			return reuse{verdict: Retained, advice: "a string cannot be taken back: whoever holds it may read it at any time; where it is only written on, append to a []byte instead"}
		}},
		{regexp.MustCompile(`^context\.\w+$`), func(*site) reuse {
			return reuse{verdict: Retained, advice: "a context may be held by anything that was called with it, and cannot be reused"}
		}},
		{regexp.MustCompile(`^slices\.(Clone|Collect|Concat|Grow|Sorted\w*|Insert|AppendSeq)$|^bytes\.(Clone|Join|Repeat|ToUpper|ToLower|Replace\w*|growSlice)$`), func(s *site) reuse {
			return reuse{verdict: PoolIt, with: "spare.Slices", saved: [2]float64{0.95, 1}, handle: sliceCost,
				advice: "append to a slice from a spare.Slices, and put it back after its last use", change: "$v := append(pool.Get(n), ...); defer pool.Put($v)"}
		}},
		{regexp.MustCompile(`^maps\.(Clone|Collect|Copy|Insert)$`), func(s *site) reuse { return mapReuse(s) }},
	}
})

// reuseOf returns what can be done about a site.
func (d *Data) reuseOf(s *site) reuse {
	if s.cut.Pool != "" {
		return missReuse(s)
	}
	if s.cut.Global {
		return reuse{verdict: Retained, advice: "the value belongs to a package-level variable: it is reused already, and what grows it stays"}
	}
	if s.cut.Foreign {
		return reuse{verdict: NotWorth, advice: "no code of the program is on the stack: it is made by " + s.What + " for its own use"}
	}
	for _, name := range []string{s.cut.Maker, ownerPath(s)} {
		if name == "" {
			continue
		}
		name = allocsite.WithoutTypeArgs(name)
		for _, r := range rules() {
			if !r.match.MatchString(name) {
				continue
			}
			if r.reuse == nil {
				return d.stringReuse(s)
			}
			return r.reuse(s)
		}
	}
	if s.cut.Owner != "" && strings.Contains(s.What, "grown by append") || s.making != nil && s.cut.Maker == "" {
		return d.directReuse(s)
	}
	if s.cut.Maker != "" {
		return d.makerReuse(s)
	}
	return d.directReuse(s)
}

// ownerPath is the owner's type with its import path.
func ownerPath(s *site) string {
	if s.cut.Owner == "" || s.cut.Maker == "" {
		return ""
	}
	typ, _, ok := allocsite.Receiver(s.cut.Maker)
	if !ok {
		return ""
	}
	return typ
}

func bufferReuse(s *site) reuse {
	r := reuse{verdict: PoolIt, with: bufferPath, saved: [2]float64{0.97, 1}, handle: bufferCost,
		advice: "take a buffer.Buffer, which has all methods of bytes.Buffer and grows in arrays from a pool, and release it after its last use; its bytes are not valid after that",
		change: "$v := buffer.Get(); defer $v.Release()"}
	if s.cut.Field {
		r.advice = "make the field a buffer.Buffer, whose arrays come from a pool, and release it when what holds it is done"
		r.change = ""
	}
	return r
}

// builderReuse: the string that a builder ends in keeps its last array.
func builderReuse(s *site) reuse {
	largest := 0.0
	for _, p := range s.parts {
		largest = max(largest, p.bytes)
	}
	rest := 1 - largest/s.Traffic.Bytes
	if s.Traffic.Objects < 1.5 || rest < 0.05 {
		return reuse{verdict: Retained, advice: "the string keeps the builder's memory, and a string cannot be taken back; Grow to the final length is all there is to save"}
	}
	return reuse{verdict: PoolIt, with: bufferPath, saved: [2]float64{0.5 * rest, rest}, handle: bufferCost,
		advice: "build in a buffer.Buffer and take the string from it: one allocation of the final length instead of each growth",
		change: "$v := buffer.New(); defer $v.Release()"}
}

func codecReuse(pkg, get string, faster [2]float64) func(*site) reuse {
	return func(s *site) reuse {
		put := "Put"
		args := "w"
		reset := [2]float64{100, 6000} // the tables of compress/flate are large
		if get == "GetReader" {
			put, args, reset = "PutReader", "r, limit", [2]float64{100, 1000}
		}
		return reuse{verdict: PoolIt, with: codecPath + pkg, saved: [2]float64{0.98, 1}, handle: codecCost, once: true, reset: reset, faster: faster,
			advice: fmt.Sprintf("take it from %s, whose codecs are reused and keep nothing of their user's", pkg),
			change: fmt.Sprintf("$v := %s.%s(%s); defer %s.%s($v)", pkg, get, args, pkg, put)}
	}
}

// jsonResult is where encoding/json makes the slice that it returns.
var jsonResult = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^encoding/json\.Marshal(Indent)?$`)
})

// jsonMarshalReuse: what Marshal returns need not be made. What it makes on the way,
// such as the sorted keys of maps, is made in any case.
func jsonMarshalReuse(s *site) reuse {
	saved := s.shareOf(jsonResult())
	if saved < 0.05 {
		return reuse{verdict: NotWorth, advice: "nearly all of it is what encoding/json makes on the way, such as the sorted keys of maps and what MarshalJSON methods return: a pool for the result saves none of that"}
	}
	return reuse{verdict: PoolIt, with: codecPath + "jsonpool", saved: [2]float64{0.95 * saved, saved}, only: jsonResult(), handle: jsonCost, once: true,
		advice: "append the JSON to a slice from a spare.Slices[byte] with jsonpool.Append, and put the slice back when it has been written",
		change: "$v, err := jsonpool.Append(pool.Get(0), v); ...; pool.Put($v)"}
}

// shareOf returns the share of the site's bytes that functions of these names take.
func (s *site) shareOf(names *regexp.Regexp) float64 {
	sum := 0.0
	for _, p := range s.parts {
		if names.MatchString(p.leaf) {
			sum += p.bytes
		}
	}
	return sum / s.Traffic.Bytes
}

// decodeState is what encoding/json allocates for each Unmarshal, whatever it
// decodes into. A json.Decoder has it within.
const decodeState = 144

// jsonArrays are the functions with which encoding/json makes the arrays of the
// slices that it decodes into.
var jsonArrays = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^reflect\.(growslice|Value\.[gG]row|Value\.extendSlice|MakeSlice)$`)
})

// jsonDecodeReuse: a jsonpool keeps the arrays of the decoded value's slices, and
// for a stream it reads into a pooled buffer instead of a Decoder's own. Strings,
// and what the decoder needs for itself, are new each time.
func jsonDecodeReuse(s *site) reuse {
	r := reuse{verdict: PoolIt, with: codecPath + "jsonpool", handle: decodeCost, once: true,
		advice: "decode into a value of a jsonpool.Pool, which keeps the arrays of its slices; strings are new each time, and stay valid",
		change: "v, err := pool.Unmarshal(data); defer pool.Put(v)"}
	if s.cut.Owner == "json.Decoder" || strings.HasSuffix(s.cut.Maker, ".NewDecoder") {
		rest := 1 - s.values()*decodeState/s.Traffic.Bytes
		r.saved = [2]float64{clamp(0.95 * rest), clamp(rest * 1.05)}
		r.handle = streamCost
		r.advice = "decode with a jsonpool.Pool, which reads into a pooled buffer and keeps the arrays of the value's slices"
		r.change = "v, err := pool.Decode(r); defer pool.Put(v)"
		return r
	}
	saved := s.shareOf(jsonArrays())
	r.saved, r.only = [2]float64{0.95 * saved, saved}, jsonArrays()
	if saved < 0.05 {
		return reuse{verdict: Retained, advice: "it is the decoder's own state, and the strings and pointers of the decoded value: none of it can be taken back"}
	}
	return r
}

func (d *Data) stringReuse(s *site) reuse {
	if d.Program.Written(s.File, s.Line, lastName(s.cut.Maker)) {
		return reuse{verdict: FixEscape, saved: [2]float64{0.95, 1}, advice: "the string is only written on: append the text to what it is written to with " + appender(s.cut.Maker)}
	}
	return reuse{verdict: Retained, advice: "a string cannot be taken back: whoever holds it may read it at any time; where it is only written on, " + appender(s.cut.Maker) + " needs none"}
}

// appender names the function that appends what the maker returns.
func appender(maker string) string {
	switch name := maker[strings.LastIndexByte(maker, '.')+1:]; {
	case strings.HasPrefix(maker, "fmt."):
		return "fmt.Append" + strings.TrimPrefix(name, "Sprint")
	case strings.HasPrefix(maker, "strconv."):
		return "strconv.Append" + strings.TrimPrefix(strings.Replace(name, "Itoa", "Int", 1), "Format")
	case strings.HasPrefix(maker, "time.Time"):
		return "AppendFormat"
	}
	return "its Append variant"
}

// missReuse is for what comes from a pool already: it is no news to pool it.
func missReuse(s *site) reuse {
	pool := s.cut.Pool[strings.LastIndexByte(s.cut.Pool, '/')+1:]
	r := reuse{verdict: NotWorth}
	switch {
	case s.cut.Miss && !s.cut.OwnPool:
		r.advice = fmt.Sprintf("already pooled: it is a miss of a %s of the library that is called", pool)
	case s.cut.Miss:
		r.advice = fmt.Sprintf("already pooled: this is what the misses of a %s cost, %s%s; ", pool, format.Count(s.values()), misses(s.Traffic.Per))
		if s.cut.Pool == "sync.Pool" {
			r.advice += "if each Get is one, something is not put back; if they follow collections, a spare.Pool keeps through them what is in use"
		} else {
			r.advice += "if each Get is one, something is not put back"
		}
	default:
		r.advice = fmt.Sprintf("already pooled: it comes from a %s, and grows because it was new, or smaller than what is needed now; if it grows each time, it is not put back, or not as it has grown", pool)
	}
	return r
}

// misses names a rate of misses.
func misses(per string) string {
	switch per {
	case "op":
		return " in each operation"
	case "s":
		return " in a second"
	}
	return " in all"
}

// tinyReuse is for readers over memory, which are as cheap as a pool.
func tinyReuse(s *site) reuse {
	name, size := "strings.Reader", 32
	if strings.HasPrefix(s.cut.Maker, "bytes.") {
		name, size = "bytes.Reader", 48
	}
	return reuse{verdict: NotWorth, advice: fmt.Sprintf("a %s is %d bytes, which cost about what a pool costs: give the data to a function that takes it as it is (json.Unmarshal instead of a Decoder, w.Write instead of io.Copy), "+
		"or make the reader a field of a value that is reused anyway, with its Reset", name, size)}
}

// mapsByHand: what is pooled is a struct that holds the map.
const mapsByHand = "a map is kept in a value of a pool, which has to be found or made by hand"

func mapReuse(*site) reuse {
	return reuse{verdict: PoolIt, with: "spare.Pool", byHand: mapsByHand, saved: [2]float64{0.9, 1}, handle: poolCost, reset: [2]float64{20, 2000},
		advice: "keep the map in a spare.Pool of a struct that holds it, and clear it in Reset; a map never gets smaller, so bound it with Keep",
		change: "$v := pool.Get(); defer pool.Put($v)"}
}

func resettable(s *site, what string) reuse {
	return reuse{verdict: PoolIt, with: "spare.Pool", saved: [2]float64{0.97, 1}, handle: poolCost, reset: [2]float64{5, 200},
		advice: fmt.Sprintf("keep %s in a spare.Pool: Reset it for each use, and in Put let go of what it was used for", what),
		change: "$v := pool.Get(); $v.Reset(...); defer pool.Put($v)"}
}

// makerReuse is for what a function makes that no rule knows.
func (d *Data) makerReuse(s *site) reuse {
	var result types.Type
	for _, m := range s.makes {
		if m.Kind == allocsite.Call && strings.Contains(m.Expr, lastName(s.cut.Maker)) {
			result = m.Type
			break
		}
	}
	name := allocsite.QualifiedName(s.cut.Maker)
	if t, ok := result.(*types.Tuple); ok && t.Len() > 0 {
		result = t.At(0).Type()
	}
	if isConstructor(s.cut.Maker) {
		if ptr, ok := result.(*types.Pointer); ok {
			typ := typeName(ptr.Elem())
			how := "reset it by hand in the pool's Reset"
			if obj, _, _ := types.LookupFieldOrMethod(ptr, true, nil, "Reset"); obj != nil {
				how = "it has a Reset method for that"
			} else if d.Program != nil && !d.owns(s.cut.Maker) {
				how = "if there is no way to make it as new, it cannot be reused"
			}
			return reuse{verdict: PoolIt, with: "spare.Pool[" + typ + "]", saved: [2]float64{0.9, 1}, handle: poolCost, reset: [2]float64{5, 500},
				advice: fmt.Sprintf("keep what %s returns in a spare.Pool[%s], with all that it holds; %s", name, typ, how),
				change: "$v := pool.Get(); defer pool.Put($v)"}
		}
		if result != nil {
			if b, ok := result.Underlying().(*types.Slice); ok {
				return sliceReuse(typeName(b.Elem()))
			}
			if _, ok := result.Underlying().(*types.Map); ok {
				return mapReuse(s)
			}
		}
	}
	if result != nil {
		switch u := result.Underlying().(type) {
		case *types.Basic:
			if u.Info()&types.IsString != 0 {
				return reuse{verdict: Retained, advice: "a string cannot be taken back: whoever holds it may read it at any time"}
			}
		case *types.Slice:
			if s.Traffic.Objects >= 0 && !strings.HasPrefix(lastName(s.cut.Maker), "Append") {
				return reuse{verdict: NotWorth, advice: fmt.Sprintf("%s makes it, and takes no memory to reuse; a variant of it that appends to a slice of the caller's would", name)}
			}
			return sliceReuse(typeName(u.Elem()))
		}
	}
	return reuse{verdict: NotWorth, advice: fmt.Sprintf("it is made inside %s, which gives its caller no way to reuse it", name)}
}

func (d *Data) owns(fn string) bool { return d.Program.Owns(allocsite.Frame{Func: fn}) }

func isConstructor(fn string) bool {
	name := lastName(fn)
	return strings.HasPrefix(name, "New") || strings.HasPrefix(name, "new") || strings.HasPrefix(name, "Make") || strings.HasPrefix(name, "make") ||
		strings.HasPrefix(name, "Open") || strings.HasPrefix(name, "Create")
}

func lastName(fn string) string {
	head, _, _ := strings.Cut(fn, "[")
	return head[strings.LastIndexByte(head, '.')+1:]
}

func typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

func sliceReuse(elem string) reuse {
	return reuse{verdict: PoolIt, with: "spare.Slices[" + elem + "]", saved: [2]float64{0.97, 1}, handle: sliceCost,
		advice: fmt.Sprintf("take the slice from a spare.Slices[%s] and put it back after its last use", elem),
		change: "$v := pool.Get(n); defer func() { pool.Put($v) }()"}
}

// directReuse is for what the site's own line makes.
func (d *Data) directReuse(s *site) reuse {
	cause := escape.Cause("")
	if s.record != nil {
		cause = s.record.Cause()
	}
	if s.outgrown {
		elem := strings.TrimPrefix(s.cut.Owner, "[]")
		if s.making != nil && s.making.Elem != nil {
			elem = typeName(s.making.Elem)
		}
		r := sliceReuse(elem)
		r.saved[0] = min(r.saved[0], 1-s.rare())
		r.change = "$v := pool.Get(0); defer func() { pool.Put($v) }()"
		if s.cut.What == "make" {
			r.advice += "; append outgrows what make gives it, so ask for the usual size, which is Get(0)"
			if i := slices.IndexFunc(s.makes, func(m allocsite.Making) bool { return m.Kind == allocsite.MakeSlice }); i >= 0 {
				if get, _, ok := takeInstead(s.makes[i].Expr, true); ok {
					r.change = "$v := " + get + "; defer func() { pool.Put($v) }()"
				}
			}
		}
		if s.cut.Owner == "" {
			r.advice += "; it is grown through a field or an element, so that what holds it is what to pool"
			r.change = ""
		}
		return r
	}
	if s.making == nil && s.uneven {
		return reuse{verdict: NotWorth, advice: fmt.Sprintf("the line makes several values, and the profile gives only the mean of their sizes, %s: it does not tell which they are; a profile of one process, from its pprof endpoint, does", format.Bytes(float64(s.ClassSize)))}
	}
	if s.making == nil {
		if s.record != nil && boxed(s.record) {
			return unbox(s)
		}
		if s.record != nil {
			return reuse{verdict: NotWorth, advice: "the compiler puts it on the heap, for the reasons given here; the source does not tell what of it could be reused"}
		}
		return reuse{verdict: NotWorth, advice: "the source does not tell what is made here; see it with -explain, or look at the line"}
	}
	small := s.making.Size > 0 && s.making.Size <= 128
	if r := s.record; r != nil && cause == escape.Boxed && !r.Moved && s.making.Kind == allocsite.Variable {
		return unbox(s)
	}
	switch s.making.Kind {
	case allocsite.Closure:
		return reuse{verdict: FixEscape, saved: [2]float64{0.9, 1}, advice: "pass what the function literal captures as arguments, or make it a method value that is bound once: a literal that captures nothing costs nothing"}
	case allocsite.Start:
		return reuse{verdict: NotWorth, advice: "a goroutine is started for each: goroutines that wait for work would save it, at the price of their management"}
	case allocsite.MakeChan:
		return reuse{verdict: Retained, advice: "a channel may be held by every goroutine that it was given to"}
	case allocsite.MapPut:
		return reuse{verdict: PoolIt, with: "spare.Pool", byHand: mapsByHand, saved: [2]float64{0.5, 1}, handle: poolCost, reset: [2]float64{20, 2000},
			advice: "the map grows here: make it with the size that it will have, or keep it in a spare.Pool and clear it"}
	case allocsite.MakeMap:
		return mapReuse(s)
	case allocsite.ToString:
		return reuse{verdict: Retained, advice: "a string cannot be taken back; where it is only compared, used as a map key or written on, keep the []byte"}
	case allocsite.ToBytes:
		return reuse{verdict: PoolIt, with: "spare.Slices[byte]", saved: [2]float64{0.97, 1}, handle: sliceCost,
			advice: "append the string to a slice from a spare.Slices[byte], or pass it on as a string (io.WriteString)", change: "$v := append(pool.Get(n), ...); defer pool.Put($v)"}
	case allocsite.MakeSlice:
		r := sliceReuse(typeName(s.making.Elem))
		if get, length, ok := takeInstead(s.making.Expr, s.tooSmall); ok {
			r.change = "$v := " + get + "; defer func() { pool.Put($v) }()"
			if length {
				r.advice += "; unlike make's, its elements are not zero: write each before it is read, or clear it"
				r.reset = [2]float64{0, clearCost(s.ClassSize)[1]}
			}
		}
		if cause == escape.TooLarge && s.making.Size <= 128<<10 {
			r.advice += "; up to 64 KiB it would be on the stack"
		}
		return r
	case allocsite.Literal:
		if _, ok := s.making.Type.Underlying().(*types.Map); ok && !s.making.Fixed {
			return mapReuse(s)
		} else if ok {
			return reuse{verdict: FixEscape, saved: [2]float64{0.9, 1}, advice: "make the map once, in a package-level variable, if it does not change"}
		}
		return sliceReuse(typeName(s.making.Elem))
	}
	// A variable, new(T) or &T{}.
	typ := typeName(s.making.Type)
	switch {
	case cause == escape.Captured:
		return reuse{verdict: FixEscape, saved: [2]float64{0.9, 1}, advice: "pass the variable to the function literal as an argument, or return its value: captured by reference, it has to outlive the function"}
	case cause == escape.Returned && small:
		return reuse{verdict: FixEscape, saved: [2]float64{0.9, 1}, advice: fmt.Sprintf("return %s by value: %d bytes are cheaper to copy than to allocate; or make the function small enough to be inlined", typ, s.making.Size)}
	case s.record != nil && s.record.Moved && small && !s.filled() && (cause == escape.Boxed || cause == escape.Passed):
		return reuse{verdict: FixEscape, saved: [2]float64{0.9, 1}, advice: "its address goes to code that the compiler cannot see through: pass the value, or call the concrete type instead of an interface"}
	}
	return reuse{verdict: PoolIt, with: "spare.Pool[" + typ + "]", saved: [2]float64{0.95, 1}, handle: poolCost, reset: clearCost(s.making.Size),
		advice: fmt.Sprintf("take it from a spare.Pool[%s] whose Reset clears it, and put it back after its last use", typ),
		change: "$v := pool.Get(); defer pool.Put($v)"}
}

// takeInstead returns the call that takes a slice from a pool in place of a call
// of make, and whether elements of it are not zero that make's are. small says that
// what make gives does not suffice.
func takeInstead(text string, small bool) (get string, length, ok bool) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return "", false, false
	}
	call, isCall := expr.(*ast.CallExpr)
	if !isCall || len(call.Args) < 2 {
		return "", false, false
	}
	n, most := types.ExprString(call.Args[1]), types.ExprString(call.Args[len(call.Args)-1])
	if small {
		most = "0"
	}
	switch get = "pool.Get(" + most + ")"; {
	case n == "0":
		return get, false, true
	case small:
		return fmt.Sprintf("append(%s, make(%s, %s)...)", get, types.ExprString(call.Args[0]), n), false, true
	}
	return get + "[:" + n + "]", true, true
}

// clearCost is what setting size bytes to zero costs.
func clearCost(size int64) [2]float64 { return [2]float64{float64(size) / 64, float64(size) / 16} }

func unbox(s *site) reuse {
	return reuse{verdict: FixEscape, saved: [2]float64{0.9, 1},
		advice: "the value is copied to the heap to become an interface: pass it to a function with its own type instead (strconv.Append..., a typed field of the logger), or pass a pointer to what is on the heap anyway"}
}
