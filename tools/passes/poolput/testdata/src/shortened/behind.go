package shortened

import (
	"io"
	"sync"
)

// The slice is cut where the pool's pointer leads to.

var rawBlocks = sync.Pool{New: func() any { b := make([]byte, 8192); return &b }}

func readCutBehind(r io.Reader, use func([]byte)) error {
	bp := rawBlocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	*bp = (*bp)[:n]
	use(*bp)
	rawBlocks.Put(bp) // want `bp goes to rawBlocks with the length of its last use`
	return err
}

var wholeBlocks = sync.Pool{New: func() any { b := make([]byte, 8192); return &b }}

func readWholeBehind(r io.Reader, use func([]byte)) error {
	bp := wholeBlocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	*bp = (*bp)[:n]
	use(*bp)
	*bp = (*bp)[:cap(*bp)]
	wholeBlocks.Put(bp)
	return err
}

func readPartBehind(r io.Reader, use func([]byte)) error {
	bp := wholeBlocks.Get().(*[]byte)
	defer wholeBlocks.Put(bp)
	n, err := r.Read(*bp)
	use((*bp)[:n])
	return err
}

// Who takes it makes it as long as it has room.
var roomyBlocks = sync.Pool{New: func() any { b := make([]byte, 8192); return &b }}

func readRoomy(r io.Reader, use func([]byte)) error {
	bp := roomyBlocks.Get().(*[]byte)
	*bp = (*bp)[:cap(*bp)]
	n, err := r.Read(*bp)
	use((*bp)[:n])
	roomyBlocks.Put(bp)
	return err
}

func readRoomyCut(r io.Reader, use func([]byte)) error {
	bp := roomyBlocks.Get().(*[]byte)
	b := (*bp)[:cap(*bp)]
	n, err := r.Read(b)
	*bp = (*bp)[:n]
	use(*bp)
	roomyBlocks.Put(bp)
	return err
}
