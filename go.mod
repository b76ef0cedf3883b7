module github.com/spare-go/spare

go 1.26.0
