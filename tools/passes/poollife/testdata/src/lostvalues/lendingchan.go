package lostvalues

// A free list drops what it has no room for: who called its put has put it, whoever borrowed it before.

var spareQueries = make(chan *query, 16)

var answered = make(chan *query)

func takeQuery() *query {
	select {
	case q := <-spareQueries:
		return q
	default:
		return new(query)
	}
}

func giveQuery(q *query) {
	select {
	case spareQueries <- q:
	default:
	}
}

func askOrGive(do func(*query) error) error {
	q := takeQuery()
	if err := do(q); err != nil {
		giveQuery(q)
		return err
	}
	answered <- q
	return nil
}

func askOrLose(do func(*query) error) error {
	q := takeQuery() // want `q, taken from the channel spareQueries at line 36, is not put back on the path that ends here`
	if err := do(q); err != nil {
		return err
	}
	giveQuery(q)
	return nil
}

func readAnswers(report func(int)) {
	for q := range answered {
		report(q.id)
		giveQuery(q)
	}
}
