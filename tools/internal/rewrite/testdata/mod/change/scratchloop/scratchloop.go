package scratchloop

type point struct{ x, y float64 }

func centre(rows [][]float64) (sum float64) {
	for _, row := range rows {
		pts := make([]point, len(row)) // site
		for i, v := range row {
			pts[i] = point{v, float64(i)}
		}
		sum += spread(pts)
	}
	return sum
}

func spread(pts []point) float64 {
	var m float64
	for _, p := range pts {
		m += p.x * p.y
	}
	return m / float64(len(pts))
}
