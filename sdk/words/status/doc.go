// Package status reads how far something is from the words that people and agents write, in the languages in which they
// write them. A word means the same in every workflow. Which words a workflow accepts, and what it makes of a status,
// is its own matter.
//
// [Of] reads the value of a status field: of a record, of front matter, of a table's cell. A [Vocabulary] adds words
// that only one workflow has, or closes the list:
//
//	var statuses = status.Vocabulary{Own: map[string]status.Status{"contexted": status.InProgress}}
//
// [GivenUp], [Optional] and [DefersWork] read task titles and the notes under them. [Title], [Line] and [Sentence] read
// the claims of a heading or a line of prose.
//
// Each word counts only in certain places. In a field it counts at the beginning of the value. In a title it counts
// only if it is set apart: "Name files (dropped)" is given up, "Recover dropped frames" is not.
//
// The table testdata/forms.txt lists forms with what they mean, a line each. It runs through this package, and through
// every plugin that reads such a form: see sdktest.Forms. To make a form known, add a line there first.
package status
