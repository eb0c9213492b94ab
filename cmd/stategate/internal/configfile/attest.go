package configfile

import (
	"context"
	"os/exec"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// attest has gh check that a workflow of a GitHub repository built the plugin that the store has under a digest, and
// records that: check itself needs no one's word. Signatures are verified by the program that GitHub keeps for that,
// not by code of our own.
func (f *File) attest(ctx context.Context, source, sum, repository string) error {
	if repository == "" || f.Store.Attested(sum, repository) {
		return nil
	}
	gh, err := exec.LookPath("gh")
	if err != nil {
		return fault.Newf(fault.IO, "it cannot be checked that %s built %s: gh is not in PATH; install it "+
			"(https://cli.github.com) and log in", repository, source)
	}
	cmd := exec.CommandContext(ctx, gh, "attestation", "verify", f.Store.Path(sum), "--repo", repository)
	cmd.Dir = f.Store.Dir // nothing in the repository that is checked has a say
	if out, err := cmd.CombinedOutput(); err != nil {
		fail := fault.Newf(fault.IO, "gh finds no proof that %s built %s, sha256 %s: %v; use the repository that "+
			"did, or another release", repository, source, sum, err)
		fail.Stderr = strings.TrimSpace(string(out))
		return fail
	}
	return f.Store.Attest(sum, repository)
}
