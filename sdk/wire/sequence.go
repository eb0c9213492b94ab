package wire

// A sequence is an array of objects. Each element type has its own code, because Go would repeat generic code for
// each type under names that contain the whole type, which took 2% of a guest.
type sequence interface {
	len() int
	at(i int) carrier
	add() // appends an empty element
}

type (
	answerList        []Answer
	detectionList     []Detection
	diagnosticList    []Diagnostic
	documentList      []Document
	documentFaultList []DocumentFault
	documentSpecList  []DocumentSpec
	editList          []Edit
	factList          []Fact
	headingLineList   []HeadingLine
	lifecycleList     []Lifecycle
	madeForList       []MadeFor
	overrideList      []Override
	phaseList         []Phase
	probeList         []Probe
	probeCountList    []ProbeCount
	rangeList         []Range
	relatedList       []Related
	remedyList        []Remedy
	rootList          []Root
	ruleList          []Rule
	ruleFailureList   []RuleFailure
	runNameList       []RunName
	transitionList    []Transition
)

func (l *answerList) len() int         { return len(*l) }
func (l *answerList) at(i int) carrier { return &(*l)[i] }
func (l *answerList) add()             { *l = append(*l, Answer{}) }

func (l *detectionList) len() int         { return len(*l) }
func (l *detectionList) at(i int) carrier { return &(*l)[i] }
func (l *detectionList) add()             { *l = append(*l, Detection{}) }

func (l *diagnosticList) len() int         { return len(*l) }
func (l *diagnosticList) at(i int) carrier { return &(*l)[i] }
func (l *diagnosticList) add()             { *l = append(*l, Diagnostic{}) }

func (l *documentList) len() int         { return len(*l) }
func (l *documentList) at(i int) carrier { return &(*l)[i] }
func (l *documentList) add() {
	if *l == nil {
		*l = make([]Document, 0, 8)
	}
	*l = append(*l, Document{})
}

func (l *documentFaultList) len() int         { return len(*l) }
func (l *documentFaultList) at(i int) carrier { return &(*l)[i] }
func (l *documentFaultList) add()             { *l = append(*l, DocumentFault{}) }

func (l *documentSpecList) len() int         { return len(*l) }
func (l *documentSpecList) at(i int) carrier { return &(*l)[i] }
func (l *documentSpecList) add()             { *l = append(*l, DocumentSpec{}) }

func (l *editList) len() int         { return len(*l) }
func (l *editList) at(i int) carrier { return &(*l)[i] }
func (l *editList) add()             { *l = append(*l, Edit{}) }

func (l *factList) len() int         { return len(*l) }
func (l *factList) at(i int) carrier { return &(*l)[i] }
func (l *factList) add()             { *l = append(*l, Fact{}) }

func (l *headingLineList) len() int         { return len(*l) }
func (l *headingLineList) at(i int) carrier { return &(*l)[i] }
func (l *headingLineList) add() {
	if *l == nil {
		*l = make([]HeadingLine, 0, 16)
	}
	*l = append(*l, HeadingLine{})
}

func (l *lifecycleList) len() int         { return len(*l) }
func (l *lifecycleList) at(i int) carrier { return &(*l)[i] }
func (l *lifecycleList) add()             { *l = append(*l, Lifecycle{}) }

func (l *madeForList) len() int         { return len(*l) }
func (l *madeForList) at(i int) carrier { return &(*l)[i] }
func (l *madeForList) add()             { *l = append(*l, MadeFor{}) }

func (l *overrideList) len() int         { return len(*l) }
func (l *overrideList) at(i int) carrier { return &(*l)[i] }
func (l *overrideList) add()             { *l = append(*l, Override{}) }

func (l *phaseList) len() int         { return len(*l) }
func (l *phaseList) at(i int) carrier { return &(*l)[i] }
func (l *phaseList) add()             { *l = append(*l, Phase{}) }

func (l *probeList) len() int         { return len(*l) }
func (l *probeList) at(i int) carrier { return &(*l)[i] }
func (l *probeList) add()             { *l = append(*l, Probe{}) }

func (l *probeCountList) len() int         { return len(*l) }
func (l *probeCountList) at(i int) carrier { return &(*l)[i] }
func (l *probeCountList) add()             { *l = append(*l, ProbeCount{}) }

func (l *rangeList) len() int         { return len(*l) }
func (l *rangeList) at(i int) carrier { return &(*l)[i] }
func (l *rangeList) add()             { *l = append(*l, Range{}) }

func (l *relatedList) len() int         { return len(*l) }
func (l *relatedList) at(i int) carrier { return &(*l)[i] }
func (l *relatedList) add()             { *l = append(*l, Related{}) }

func (l *remedyList) len() int         { return len(*l) }
func (l *remedyList) at(i int) carrier { return &(*l)[i] }
func (l *remedyList) add()             { *l = append(*l, Remedy{}) }

func (l *rootList) len() int         { return len(*l) }
func (l *rootList) at(i int) carrier { return &(*l)[i] }
func (l *rootList) add()             { *l = append(*l, Root{}) }

func (l *ruleList) len() int         { return len(*l) }
func (l *ruleList) at(i int) carrier { return &(*l)[i] }
func (l *ruleList) add()             { *l = append(*l, Rule{}) }

func (l *ruleFailureList) len() int         { return len(*l) }
func (l *ruleFailureList) at(i int) carrier { return &(*l)[i] }
func (l *ruleFailureList) add()             { *l = append(*l, RuleFailure{}) }

func (l *runNameList) len() int         { return len(*l) }
func (l *runNameList) at(i int) carrier { return &(*l)[i] }
func (l *runNameList) add()             { *l = append(*l, RunName{}) }

func (l *transitionList) len() int         { return len(*l) }
func (l *transitionList) at(i int) carrier { return &(*l)[i] }
func (l *transitionList) add()             { *l = append(*l, Transition{}) }
