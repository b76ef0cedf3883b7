module github.com/spare-go/spare/tools

go 1.26.0

require golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
