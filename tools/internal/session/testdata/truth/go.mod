module truth.example

go 1.26
