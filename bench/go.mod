module github.com/spare-go/spare/bench

go 1.26.0

require github.com/spare-go/spare v0.0.0

require github.com/valyala/bytebufferpool v1.0.0

replace github.com/spare-go/spare => ../
