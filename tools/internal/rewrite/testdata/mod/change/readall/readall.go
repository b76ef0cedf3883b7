package readall

import (
	"encoding/json"
	"io"
	"net/http"
)

type order struct{ Items []string }

func handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body) // site
	if err != nil {
		http.Error(w, "cannot read", http.StatusBadRequest)
		return
	}
	var o order
	if err := json.Unmarshal(body, &o); err != nil {
		http.Error(w, "not valid", http.StatusBadRequest)
		return
	}
	w.WriteHeader(len(o.Items))
}
