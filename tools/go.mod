module github.com/spare-go/spare/tools

go 1.26.0
