// Package status reads a status from the words that people and agents write, in their languages. A word means the
// same in every workflow. Each workflow decides which words it accepts and what follows from a status.
//
// [Of] reads the value of a status field in a record, in front matter or in a table cell. A [Vocabulary] adds words
// of a single workflow, or restricts the words to a closed list:
//
//	var statuses = status.Vocabulary{Own: map[string]status.Status{"contexted": status.InProgress}}
//
// [GivenUp], [Optional] and [DefersWork] read task titles and the notes under them. [Title], [Line] and [Sentence]
// read claims in a heading or a line of prose.
//
// Each word counts only in certain positions. In a field it counts at the beginning of the value. In a title it
// counts only if it is set apart: "Name files (dropped)" is dropped, but "Recover dropped frames" is not.
//
// The table testdata/forms.txt lists notations and their meanings, one per line. This package and every plugin that
// reads such notations are tested with it; see sdktest.Forms. To support a new notation, add a line there first.
package status
