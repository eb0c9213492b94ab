// Package evidence compares the claims of ticked tasks with the files that exist. It finds the files that a task's
// text names and how the text uses them. It asks whether they exist, searches for them under other names, and
// reports whether another task removed them again:
//
//	s := &evidence.Search{Pass: p, Tops: []string{""}}
//	for _, f := range evidence.Files(t.Body(doc)) {
//		found, near := s.Find(f.Path), s.Near(f.Path, owners.Beside(t))
//		if f.Use == evidence.Made && found.Gone() && near.Is == sdk.Absent {
//			// the task should have created the file, but the file does not exist
//		}
//	}
//
// [Files] knows the verbs of ten languages. A [File] that is [Made] or [MadeIn] must exist when its task is done.
// The change that ticks the task should touch a file that is [Changed]. A file that is [Written] need not be kept.
//
// A file's name may differ from the planned one. [Search.Near] accepts a name with the same words. It also accepts a
// name with more or fewer words unless the base has that file or another task names it: user.py is not
// user_service.py.
//
// The workflow decides which tasks to check, when a missing file is excused, and how severe the finding is.
package evidence
