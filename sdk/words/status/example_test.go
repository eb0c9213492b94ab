package status_test

import (
	"fmt"

	"github.com/stategate/stategate/sdk/words/status"
)

// A plugin reads a record's status field.
func ExampleOf() {
	for _, value := range []string{"✅ Done (2026-01-02)", "won't do", "review → done", "done, except tests", "进行中"} {
		s := status.Of(value)
		fmt.Println(s, s.Finished())
	}
	// Output:
	// done true
	// cancelled true
	// done true
	// unknown false
	// in-progress false
}

// A workflow with additional words.
func ExampleVocabulary() {
	statuses := status.Vocabulary{Own: map[string]status.Status{"contexted": status.InProgress}}
	fmt.Println(statuses.Of("contexted"), statuses.Of("deferred to v2"))

	// A workflow whose tool has a closed list.
	closed := status.Vocabulary{Own: map[string]status.Status{"closed": status.Done}, Only: true}
	fmt.Println(closed.Of("Closed"), closed.Of("shipped"))
	// Output:
	// in-progress cancelled
	// done unknown
}
