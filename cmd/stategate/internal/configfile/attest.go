package configfile

import (
	"context"
	"os/exec"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// attest runs gh to verify that a workflow in a GitHub repository built the stored plugin with the given digest, and
// records the result, because check must not use the network. GitHub's own program verifies the signatures, so this
// project does not need code for that.
func (f *File) attest(ctx context.Context, source, sum, repository string) error {
	if repository == "" || f.Store.Attested(sum, repository) {
		return nil
	}
	gh, err := exec.LookPath("gh")
	if err != nil {
		return fault.Newf(fault.IO, "cannot verify that %s built %s: gh is not in PATH; install it "+
			"(https://cli.github.com) and log in", repository, source)
	}
	cmd := exec.CommandContext(ctx, gh, "attestation", "verify", f.Store.Path(sum), "--repo", repository)
	cmd.Dir = f.Store.Dir // so that nothing in the checked repository affects gh
	if out, err := cmd.CombinedOutput(); err != nil {
		fail := fault.Newf(fault.IO,
			"gh found no attestation that %s built %s, sha256 %s: %v; use the repository that "+
				"built it, or another release", repository, source, sum, err)
		fail.Stderr = strings.TrimSpace(string(out))
		return fail
	}
	return f.Store.Attest(sum, repository)
}
