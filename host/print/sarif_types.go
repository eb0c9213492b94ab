package print

// The parts of SARIF 2.1.0 that stategate writes, in the order of the standard.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool               sarifTool                   `json:"tool"`
	Invocations        []sarifInvocation           `json:"invocations"`
	OriginalURIBaseIDs map[string]sarifDescription `json:"originalUriBaseIds"`
	Results            []sarifResult               `json:"results"`
	ColumnKind         string                      `json:"columnKind"`
	Properties         sarifRunProperties          `json:"properties"`
}

type sarifRunProperties struct {
	Gate     string   `json:"gate"`
	Source   string   `json:"source"`
	Revision string   `json:"revision,omitempty"`
	Base     []string `json:"base"`
	Policy   string   `json:"policy,omitempty"`
}

type sarifTool struct {
	Driver     sarifComponent   `json:"driver"`
	Extensions []sarifComponent `json:"extensions,omitempty"`
}

type sarifComponent struct {
	Name             string                    `json:"name"`
	Version          string                    `json:"version,omitempty"`
	InformationURI   string                    `json:"informationUri,omitempty"`
	ShortDescription *sarifText                `json:"shortDescription,omitempty"`
	Rules            []sarifRule               `json:"rules,omitempty"`
	Properties       *sarifComponentProperties `json:"properties,omitempty"`
}

type sarifComponentProperties struct {
	SHA256 string `json:"sha256"`
}

type sarifRule struct {
	ID               string              `json:"id"`
	Name             string              `json:"name"`
	ShortDescription sarifText           `json:"shortDescription"`
	FullDescription  sarifText           `json:"fullDescription"`
	Help             sarifText           `json:"help"`
	Default          sarifConfiguration  `json:"defaultConfiguration"`
	Properties       sarifRuleProperties `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct {
	Tags            []string `json:"tags"`
	Precision       string   `json:"precision"`
	ProblemSeverity string   `json:"problem.severity"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifDescription struct {
	Description sarifText `json:"description"`
}

type sarifInvocation struct {
	ExitCode                   int                 `json:"exitCode"`
	ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications"`
	ExecutionSuccessful        bool                `json:"executionSuccessful"`
}

type sarifNotification struct {
	Descriptor sarifReference               `json:"descriptor"`
	Locations  []sarifLocation              `json:"locations,omitempty"`
	Message    sarifText                    `json:"message"`
	Level      string                       `json:"level"`
	Properties *sarifNotificationProperties `json:"properties,omitempty"`
}

type sarifNotificationProperties struct {
	Plugin string `json:"plugin,omitempty"`
	Stderr string `json:"stderr,omitempty"`
}

type sarifReference struct {
	ID string `json:"id"`
}

type sarifResult struct {
	RuleID              string                `json:"ruleId"`
	RuleIndex           int                   `json:"ruleIndex"`
	Kind                string                `json:"kind"`
	Level               string                `json:"level"`
	Message             sarifText             `json:"message"`
	Locations           []sarifLocation       `json:"locations,omitempty"`
	PartialFingerprints map[string]string     `json:"partialFingerprints"`
	RelatedLocations    []sarifLocation       `json:"relatedLocations,omitempty"`
	Suppressions        *[]sarifSuppression   `json:"suppressions,omitempty"`
	Fixes               []sarifFix            `json:"fixes,omitempty"`
	Properties          sarifResultProperties `json:"properties"`
}

type sarifResultProperties struct {
	Plugin     string       `json:"plugin"`
	Root       string       `json:"root"`
	Subject    string       `json:"subject,omitempty"`
	Remedies   []jsonRemedy `json:"remedies,omitempty"`
	Recoveries []jsonRemedy `json:"recoveries,omitempty"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion  `json:"deletedRegion"`
	Inserted sarifContent `json:"insertedContent"`
}

type sarifContent struct {
	Text string `json:"text"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification,omitempty"`
}

type sarifLocation struct {
	ID       int           `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}
