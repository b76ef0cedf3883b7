package droppedagain

// Both loops in one that goes on.

// Wrong: what did not fit is delivered, and then the whole list.
func (o *office) rounds(v van, next func() []*parcel) {
	for list := next(); len(list) > 0; list = next() {
		var loaded []*parcel
		for _, p := range list {
			if v.load(p.to, p.stamp) {
				loaded = append(loaded, p)
			} else {
				p.delivered()
			}
		}
		o.log(loaded[0].to)
		for _, p := range list {
			p.delivered() // want `this goes over all elements again, also over those that delivered gave up before`
		}
	}
}

// Right: those that were loaded.
func (o *office) roundsRight(v van, next func() []*parcel) {
	for list := next(); len(list) > 0; list = next() {
		var loaded []*parcel
		for _, p := range list {
			if v.load(p.to, p.stamp) {
				loaded = append(loaded, p)
			} else {
				p.delivered()
			}
		}
		o.log(loaded[0].to)
		for _, p := range loaded {
			p.delivered()
		}
	}
}

// Right: the second loop ends the first one.
func (o *office) untilFull(v van, list []*parcel) {
	var loaded []*parcel
	for k := range list {
		if v.load(list[k].to, list[k].stamp) {
			loaded = append(loaded, list[k])
			continue
		}
		o.log(list[k].to)
		list[k].delivered()
	}
	for _, p := range loaded {
		p.delivered()
	}
}
