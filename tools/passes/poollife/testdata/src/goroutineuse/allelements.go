package goroutineuse

// A goroutine for each element of a map, and a loop that puts all of them.

func windByKey(all map[int]*roll, write func([]byte)) {
	for k := range all {
		go func() { write(all[k].b) }()
	}
	for _, r := range all {
		rolls.Put(r) // want `r is put in rolls while the goroutine started`
	}
}

// Right: it asks how many there are.
func countByKey(all map[int]*roll, tell func(int, bool)) {
	for k := range all {
		go func() { tell(k, len(all) > k) }()
	}
	for _, r := range all {
		rolls.Put(r)
	}
}
