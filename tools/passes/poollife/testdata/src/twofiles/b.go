package twofiles

func there(c *card) int {
	give(c)
	return c.n // want `^c is read after it was put in cards \(line 4\)$`
}

func twice(c *card) {
	give(c)
	give(c) // want `^c is put in cards a second time; the first Put is at line 9$`
}

func watched(note func(int)) {
	c := cards.Get().(*card)
	watch(c, note)
	give(c) // want `^c is put in cards while the goroutine started at line 16 of a\.go may still use it$`
}

func local(c *card, note func(int)) {
	go func() { note(c.n) }()
	give(c) // want `^c is put in cards while the goroutine started at line 20 may still use it$`
}
