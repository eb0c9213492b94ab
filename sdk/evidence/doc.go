// Package evidence holds what ticked tasks claim against the files that are there. It finds the files that the text of
// a task names and how it names them, asks whether they exist, looks for them under other names, and tells whether
// another task took them away again:
//
//	s := &evidence.Search{Pass: p, Tops: []string{""}}
//	for _, f := range evidence.Files(t.Body(doc)) {
//		found, near := s.Find(f.Path), s.Near(f.Path, owners.Beside(t))
//		if f.Use == evidence.Made && found.Gone() && near.Is == sdk.Absent {
//			// the task says that it makes the file, and it did not
//		}
//	}
//
// [Files] knows the verbs of ten languages. A [File] that is [Made] or [MadeIn] must exist when its task is done; one
// that is [Changed] should be touched by the change that ticks the task; one that is [Written] need not be kept.
//
// A file may have another name than the plan gave it. [Search.Near] accepts one of the same words, and one of more or
// fewer words unless the base had it or another task names it: user.py is no user_service.py.
//
// Which tasks to look at, what excuses a missing file and how severe it is are the workflow's own.
package evidence
