package main

import (
	"fmt"
	"io"
)

func printSizes(w io.Writer) error { _, err := fmt.Fprintln(w, "todo"); return err }
