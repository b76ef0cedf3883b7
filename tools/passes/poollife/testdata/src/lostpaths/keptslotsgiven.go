package lostpaths

// Shelves that a visit was given, and such that it made.

// Wrong: the shelf lives on.
type shelfVisit struct {
	shelf *stockShelf
	held8 []*shelfScan
}

func newShelfVisit(shelf *stockShelf) *shelfVisit {
	return &shelfVisit{shelf: shelf, held8: make([]*shelfScan, 8)}
}

func (v *shelfVisit) Find(n int, key string) int {
	if v.held8[n] == nil {
		v.held8[n] = v.shelf.scan()
	}
	at, _ := v.held8[n].find(key)
	return at
}

func (v *shelfVisit) Close() { // want `Close leaves what is in held8`
	v.shelf = nil
}

// Right: the shelf is the visit's own, and goes with it.
type ownShelfVisit struct {
	shelf *stockShelf
	held9 []*shelfScan
}

func newOwnShelfVisit(at map[string]int) *ownShelfVisit {
	return &ownShelfVisit{shelf: newStockShelf(at), held9: make([]*shelfScan, 8)}
}

func (v *ownShelfVisit) Find(n int, key string) int {
	if v.held9[n] == nil {
		v.held9[n] = v.shelf.scan()
	}
	at, _ := v.held9[n].find(key)
	return at
}

func (v *ownShelfVisit) Close() { v.shelf = nil }
