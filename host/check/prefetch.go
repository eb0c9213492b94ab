package check

import (
	"context"
	"sync/atomic"

	"github.com/stategate/stategate/host/source/git"
)

// An Index is what git was asked about the index before a look at it begins: to
// list a large one takes longer than all that is done meanwhile. It serves one look;
// the next one asks anew.
type Index struct{ asked atomic.Pointer[asked] }

// asked are questions that git is answering. All but listing are nil if nobody will
// want to know.
type asked struct {
	dir     string // of the repository
	listing func() (*git.Listing, error)
	heads   func() ([]string, error)
	changes func() ([]git.Change, error) // against the first of heads
}

// ask begins to ask; heads says whether the index will be compared with them.
func ask(ctx context.Context, repo *git.Repo, heads bool) *asked {
	a := &asked{dir: repo.Dir}
	a.listing = async(func() (*git.Listing, error) { return repo.Index(ctx) })
	if !heads {
		return a
	}
	a.heads = async(func() ([]string, error) { return repo.Heads(ctx) })
	a.changes = async(func() ([]git.Change, error) {
		ids, err := a.heads()
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		return repo.ChangedInIndex(ctx, ids[0])
	})
	return a
}

// take returns what was asked about the index of a repository, once. It is never nil.
func (x *Index) take(repo *git.Repo) *asked {
	if x != nil && repo != nil {
		if a := x.asked.Swap(nil); a != nil && a.dir == repo.Dir {
			return a
		}
	}
	return &asked{}
}
