//! The checklist workflow: .checklist/<name>/checklist.json holds the steps, and
//! results/<step>.md contains each result. Its manifest is ../manifest.json.

mod json;
mod kernel;

use json::{Json, Writer};

const STATE: &str = "checklist.json";
const MOST_FINDINGS: usize = 500;
const MOST_ASKS: usize = 500;

// ---- the request

/// One evaluation of one checklist.
struct Look<'a> {
    header: &'a Json,
    attachment: &'a [u8],
    documents: &'a [Json],
    state: Option<&'a Json>, // checklist.json, if it exists and is valid
    steps: &'a [Json],
    answered: usize, // steps that have a result
    complete: bool,  // the snapshot contains all documents
}

/// A value with a path: a document, or an answer.
fn document<'a>(list: &'a [Json], path: &str) -> Option<&'a Json> {
    list.iter().find(|d| d.get("path").text() == path)
}

/// Returns the part of the attachment that a document's property refers to.
fn span<'a>(attachment: &'a [u8], document: &Json, member: &str) -> &'a [u8] {
    match document.get(member).items() {
        [offset, length] => offset.size().checked_add(length.size()).and_then(|end| attachment.get(offset.size()..end)).unwrap_or(&[]),
        _ => &[],
    }
}

fn has_fault(document: &Json, rule: &str) -> bool {
    document.get("faults").items().iter().any(|f| f.get("rule").text() == rule)
}

/// Reports whether the request contains the whole text. need defaults to "content".
fn readable(document: &Json) -> bool {
    document.get("need").text() == "content"
        && !["unreadable-document", "not-a-file", "too-large"].iter().any(|rule| has_fault(document, rule))
}

fn read_state(attachment: &[u8], documents: &[Json]) -> Option<Json> {
    let state = document(documents, STATE).filter(|d| readable(d))?;
    Json::read(std::str::from_utf8(span(attachment, state, "text")).ok()?)
}

/// Reports whether a step's name is a valid file name.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && name.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

fn name_of(step: &Json) -> &str {
    step.get("name").text()
}

fn joined(parts: &[&str]) -> String {
    parts.concat()
}

fn result_of(step: &Json) -> String {
    joined(&["results/", name_of(step), ".md"])
}

impl<'a> Look<'a> {
    fn new(header: &'a Json, attachment: &'a [u8], state: Option<&'a Json>) -> Look<'a> {
        let documents = header.get("documents").items();
        let steps = state.map_or(&[][..], |s| s.get("steps").items());
        let complete = header.get("unseen").items().is_empty();
        let mut look = Look { header, attachment, documents, state, steps, answered: 0, complete };
        look.answered = steps.iter().filter(|s| look.has_result(s)).count();
        look
    }

    fn has_result(&self, step: &Json) -> bool {
        is_name(name_of(step)) && document(self.documents, &result_of(step)).is_some()
    }

    fn status(&self) -> &str {
        self.state.map_or("", |s| s.get("status").text())
    }

    fn claims_done(&self) -> bool {
        self.status() == "done"
    }

    fn is_done(&self) -> bool {
        !self.steps.is_empty() && self.answered == self.steps.len()
    }
}

// ---- findings

/// The findings so far.
#[derive(Default)]
struct Findings {
    w: Writer,
    count: usize,
    first_error: Option<&'static str>,
    asks: std::collections::BTreeSet<String>, // paths outside the checklist
}

struct Finding<'a> {
    rule: &'static str,
    error: bool,
    key: &'a str,
    path: &'a str,
    pointer: &'a str,
    message: String,
    set: Option<(String, &'a str)>, // a safe remedy: its title, and the JSON text for the place
}

fn range(w: &mut Writer, path: &str, pointer: &str) {
    w.key("range");
    w.within("{}", |w| {
        w.member("path", path);
        if !pointer.is_empty() {
            w.member("pointer", pointer);
        }
    });
}

impl Findings {
    fn add(&mut self, f: Finding) {
        if f.error {
            self.first_error.get_or_insert(f.rule);
        }
        self.count += 1;
        if self.count > MOST_FINDINGS {
            return;
        }
        self.w.within("{}", |w| {
            w.member("rule", f.rule);
            if !f.key.is_empty() {
                w.member("key", f.key);
            }
            range(w, f.path, f.pointer);
            w.member("message", &f.message);
            if let Some((title, value)) = f.set {
                w.key("remedies");
                w.within("[]", |w| set_remedy(w, &title, f.pointer, value));
            }
        });
    }
}

fn set_remedy(w: &mut Writer, title: &str, pointer: &str, value: &str) {
    w.within("{}", |w| {
        w.member("title", title);
        w.member("safety", "safe");
        w.key("edits");
        w.within("[]", |w| {
            w.within("{}", |w| {
                w.member("op", "set");
                range(w, STATE, pointer);
                w.member("new", value);
            })
        });
    });
}

fn state_missing(l: &Look, found: &mut Findings) {
    if document(l.documents, STATE).is_none() && l.complete {
        let message = joined(&["checklist.json is missing, but there are results"]);
        found.add(Finding { rule: "state-missing", error: true, key: "", path: STATE, pointer: "", message, set: None });
    }
}

fn status_beyond_results(l: &Look, found: &mut Findings) {
    if !l.claims_done() || l.is_done() || !l.complete {
        return;
    }
    let message = joined(&["status is \"done\", but ", &l.answered.to_string(), " of ", &l.steps.len().to_string(), " steps have a result"]);
    let set = Some((joined(&["Set status to open"]), "\"open\""));
    found.add(Finding { rule: "status-beyond-results", error: true, key: "", path: STATE, pointer: "/status", message, set });
}

fn step_without_result(l: &Look, found: &mut Findings) {
    for (i, step) in l.steps.iter().enumerate() {
        if !l.complete || step.get("status").text() != "done" || !is_name(name_of(step)) || l.has_result(step) {
            continue;
        }
        let at = &joined(&["/steps/", &i.to_string(), "/status"]);
        let message = joined(&["step \"", name_of(step), "\" is \"done\", but ", &result_of(step), " is missing"]);
        let set = Some((joined(&["Set step ", &(i + 1).to_string(), " to todo"]), "\"todo\""));
        found.add(Finding { rule: "step-without-result", error: true, key: at, path: STATE, pointer: at, message, set });
    }
}

/// Reports whether a step names a file that may be asked for: a clean path without hidden names.
fn is_path(path: &str) -> bool {
    path.len() <= 256
        && path.bytes().all(|c| c.is_ascii_alphanumeric() || b"._-/".contains(&c))
        && path.split('/').all(|part| !part.is_empty() && !part.starts_with(['.', '-']))
}

fn absent(answers: &Json, path: &str) -> bool {
    document(answers.items(), path).map_or(false, |answer| answer.get("presence").text() == "absent")
}

/// Asks for paths without an answer; stategate then calls the plugin again.
fn step_without_file(l: &Look, found: &mut Findings) {
    let base = l.header.get("base");
    if base.get("state").text() != "at" {
        return;
    }
    // The base has no text if the document is unchanged; then nothing is new.
    let was = match read_state(l.attachment, base.get("documents").items()) {
        Some(was) => was,
        None => return,
    };
    let done = |step: &Json| step.get("status").text() == "done";
    for (i, step) in l.steps.iter().enumerate() {
        let path = step.get("file").text();
        if !done(step) || !is_path(path) || was.get("steps").items().iter().any(|b| name_of(b) == name_of(step) && done(b)) {
            continue;
        }
        if document(l.header.get("answers").items(), path).is_none() && found.asks.len() < MOST_ASKS {
            found.asks.insert(path.to_string());
        }
        if !absent(l.header.get("answers"), path) || !absent(base.get("answers"), path) {
            continue;
        }
        let at = &joined(&["/steps/", &i.to_string(), "/status"]);
        let message = joined(&["step ", &(i + 1).to_string(), " is \"done\", but ", path, " does not exist"]);
        let set = Some((joined(&["Set step ", &(i + 1).to_string(), " to todo"]), "\"todo\""));
        found.add(Finding { rule: "step-without-file", error: true, key: at, path: STATE, pointer: at, message, set });
    }
}

/// Returns a heading's text without its marks.
fn title(heading: &str) -> &str {
    heading.trim_start_matches(['#', ' ']).trim_end_matches([' ', '\n', '\r', '#', '=', '-'])
}

/// Finds a heading in the outline. Each node consists of five integers: kind
/// and data, parent, line, start, end.
fn has_heading(l: &Look, document: &Json, wanted: &str) -> bool {
    const HEADING: u32 = 1;
    let text = span(l.attachment, document, "text");
    let outline = span(l.attachment, document, "outline");
    outline.chunks_exact(20).any(|node| {
        let word = |i: usize| u32::from_le_bytes(node[i..i + 4].try_into().unwrap());
        let heading = text.get(word(12) as usize..word(16) as usize).unwrap_or(&[]);
        word(0) & 255 == HEADING && std::str::from_utf8(heading).map_or(false, |h| title(h) == wanted)
    })
}

fn result_without_heading(l: &Look, found: &mut Findings) {
    for document in l.documents {
        let path = document.get("path").text();
        if path == STATE || !readable(document) || has_heading(l, document, "Result") {
            continue;
        }
        let message = joined(&[path, " has no heading \"Result\""]);
        found.add(Finding { rule: "result-without-heading", error: false, key: "", path, pointer: "", message, set: None });
    }
}

fn step_lost(l: &Look, found: &mut Findings) {
    let base = l.header.get("base");
    if l.state.is_none() || base.get("state").text() != "at" {
        return;
    }
    // The base has no text if the document is unchanged; then nothing is lost.
    let was = read_state(l.attachment, base.get("documents").items()).unwrap_or(Json::Null);
    for step in was.get("steps").items() {
        let name = name_of(step);
        if is_name(name) && !l.steps.iter().any(|s| name_of(s) == name) {
            let message = joined(&["step \"", name, "\" of the earlier revision is gone"]);
            found.add(Finding { rule: "step-lost", error: false, key: name, path: STATE, pointer: "/steps", message, set: None });
        }
    }
}

// ---- the report

fn resume(l: &Look, first_error: Option<&str>, w: &mut Writer) {
    if let Some(rule) = first_error {
        w.member("first", &joined(&["settle ", rule]));
    }
    w.key("read_first");
    w.within("[]", |w| {
        if document(l.documents, STATE).is_some() {
            w.string(STATE);
        }
    });
    let next = l.steps.iter().find(|s| !l.has_result(s) && is_name(name_of(s)));
    if let Some(step) = next {
        w.member("next", &joined(&["do step ", name_of(step), " and write ", &result_of(step)]));
    } else if l.is_done() && !l.claims_done() {
        w.member("next", "set status to done");
    } else if !l.is_done() || first_error.is_some() {
        w.member("next", "repair checklist.json, or restore it from git");
    }
}

fn detection(l: &Look, first_error: Option<&str>, w: &mut Writer) {
    let (claimed, observed) = (l.claims_done(), l.is_done());
    w.member("lifecycle", "checklist");
    if l.state.is_some() {
        w.member("claimed", l.status());
        w.member("observed", if observed { "done" } else { "open" });
    }
    if !l.status().is_empty() {
        w.member("fit", if claimed == observed { "consistent" } else if claimed { "ahead" } else { "just-behind" });
    }
    let state = match first_error {
        Some(_) => "blocked",
        None if claimed && observed => "finished",
        None => "active",
    };
    w.member("state", state);
    w.key("progress");
    w.within("{}", |w| {
        w.key("done");
        w.number(l.answered);
        w.key("total");
        w.number(l.steps.len());
        w.member("unit", "steps");
    });
    w.key("resume");
    w.within("{}", |w| resume(l, first_error, w));
}

/// Returns a checklist.json with a step for each result.
fn rebuilt(l: &Look) -> String {
    let results = l.documents.iter().filter_map(|d| d.get("path").text().strip_prefix("results/")?.strip_suffix(".md"));
    let steps: Vec<String> = results.filter(|n| is_name(n)).map(|n| joined(&["\n    {\"name\": \"", n, "\", \"status\": \"done\"}"])).collect();
    let end = if steps.is_empty() { "" } else { "\n  " };
    joined(&["{\n  \"status\": \"open\",\n  \"steps\": [", &steps.join(","), end, "]\n}\n"])
}

fn recovery(l: &Look, w: &mut Writer) {
    let state = document(l.documents, STATE);
    if !state.map_or(l.complete, |d| has_fault(d, "unreadable-document")) {
        return;
    }
    w.within("{}", |w| {
        w.member("title", "Rebuild checklist.json from the results");
        w.member("safety", "review");
        w.key("fixes");
        w.within("[]", |w| w.string(if state.is_some() { "unreadable-document" } else { "state-missing" }));
        w.key("edits");
        w.within("[]", |w| {
            if state.is_some() {
                w.within("{}", |w| {
                    w.member("op", "aside");
                    range(w, STATE, "");
                    w.member("to", "broken");
                });
            }
            w.within("{}", |w| {
                w.member("op", "create");
                range(w, STATE, "");
                w.member("new", &rebuilt(l));
            });
        });
    });
}

fn report(l: &Look) -> String {
    let mut found = Findings::default();
    for rule in [state_missing, status_beyond_results, step_without_result, step_without_file, result_without_heading, step_lost] {
        rule(l, &mut found);
    }
    let mut w = Writer::default();
    w.within("{}", |w| {
        w.key("diagnostics");
        w.within("[]", |w| w.out.push_str(&found.w.out));
        w.key("detections");
        w.within("[]", |w| w.within("{}", |w| detection(l, found.first_error, w)));
        w.key("recoveries");
        w.within("[]", |w| recovery(l, w));
        w.key("ask");
        w.within("[]", |w| found.asks.iter().for_each(|path| w.string(path)));
    });
    w.out
}

/// Splits a request into its header and attachment, and reports.
fn answer(request: &[u8]) -> Option<String> {
    let length = u32::from_le_bytes(request.get(..4)?.try_into().ok()?) as usize;
    let header = Json::read(std::str::from_utf8(request[4..].get(..length)?).ok()?)?;
    let attachment = &request[4 + length..];
    let state = read_state(attachment, header.get("documents").items());
    Some(report(&Look::new(&header, attachment, state.as_ref())))
}

// ---- the exports

#[no_mangle]
pub extern "C" fn stategate_abi_1() {}

#[no_mangle]
pub extern "C" fn describe() -> i32 {
    kernel::output(include_str!("../../manifest.json"));
    0
}

#[no_mangle]
pub extern "C" fn examine() -> i32 {
    match answer(&kernel::input()) {
        Some(report) => {
            kernel::output(&report);
            0
        }
        None => {
            kernel::fail("the request cannot be read");
            1
        }
    }
}
