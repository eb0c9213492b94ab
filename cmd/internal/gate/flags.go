package gate

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// Parse reads the command line of a program that serves stategate. If it has answered --help or --version, or reported
// a usage error, done is true and code is the exit code.
func Parse(flags *pflag.FlagSet, usage string, args []string, stdout, stderr io.Writer) (code int, done bool) {
	name := flags.Name()
	version := flags.Bool("version", false, "print the version")
	flags.SortFlags = false
	flags.Usage = func() {} // help goes to stdout
	switch err := flags.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprintf(stdout, "%s\n\nFlags:\n%s", usage, flags.FlagUsages())
		return 0, true
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v; `%s --help` lists the flags\n", name, err, name)
		return 2, true
	case *version:
		fmt.Fprintf(stdout, "%s %s\n", name, Version())
		return 0, true
	}
	return 0, false
}
