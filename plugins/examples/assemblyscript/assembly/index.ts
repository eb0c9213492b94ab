// The checklist workflow: .checklist/<name>/checklist.json holds the steps, and
// results/<step>.md contains each result. Its manifest is ../../manifest.json.

import { Json, Kind, read, Writer } from "./json";
import { fail, input, output } from "./kernel";
import { MANIFEST } from "./manifest";

const STATE = "checklist.json";
const MOST_FINDINGS = 500;
const MOST_ASKS = 500;

// ---- the request

/** What has a path: a document, or an answer. */
function document(list: Json[], path: string): Json | null {
  for (let i = 0; i < list.length; i++) if (list[i].get("path").text() == path) return list[i];
  return null;
}

function hasFault(d: Json, rule: string): bool {
  const faults = d.get("faults").elements();
  for (let i = 0; i < faults.length; i++) if (faults[i].get("rule").text() == rule) return true;
  return false;
}

/** Whether the text is here and whole. need is left out if it is "listed". */
function readable(d: Json): bool {
  if (d.get("need").text() != "content") return false;
  return !hasFault(d, "unreadable-document") && !hasFault(d, "not-a-file") && !hasFault(d, "too-large");
}

/** Whether a step has a name that a file can have. */
function isName(name: string): bool {
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    if (!(c >= 97 && c <= 122) && !(c >= 48 && c <= 57) && c != 45) return false;
  }
  return name.length > 0 && name.length <= 64;
}

function nameOf(step: Json): string { return step.get("name").text(); }

function isDone(step: Json): bool { return step.get("status").text() == "done"; }

/** Whether a step names a file that may be asked for: clean, and nothing hidden. */
function isPath(path: string): bool {
  let before: i32 = 47; // a slash
  for (let i = 0; i < path.length; i++) {
    const c = path.charCodeAt(i);
    if (before == 47 && (c == 47 || c == 46 || c == 45)) return false;
    if (!(c >= 97 && c <= 122) && !(c >= 65 && c <= 90) && !(c >= 48 && c <= 57) && c != 46 && c != 95 && c != 45 && c != 47) return false;
    before = c;
  }
  return before != 47 && path.length <= 256;
}

function absent(answers: Json, path: string): bool {
  const answer = document(answers.elements(), path);
  return answer != null && answer.get("presence").text() == "absent";
}

function resultOf(step: Json): string { return "results/" + nameOf(step) + ".md"; }

/** One look at one checklist. */
class Look {
  documents: Json[];
  state: Json | null; // checklist.json, if it exists and is valid
  status: string = "";
  steps: Json[] = [];
  answered: i32 = 0; // steps that have a result
  complete: bool; // the snapshot contains all documents
  w: Writer = new Writer();
  asks: string[] = []; // paths outside the checklist
  findings: i32 = 0;
  firstError: string = "";

  constructor(public header: Json, private attachment: Uint8Array) {
    this.documents = header.get("documents").elements();
    this.complete = header.get("unseen").elements().length == 0;
    const state = this.readState(this.documents);
    this.state = state;
    if (state != null) {
      this.status = state.get("status").text();
      this.steps = state.get("steps").elements();
    }
    for (let i = 0; i < this.steps.length; i++) if (this.hasResult(this.steps[i])) this.answered++;
  }

  /** The part of the attachment that a member of a document names. */
  span(d: Json, member: string): Uint8Array {
    const at = d.get(member).elements();
    if (at.length != 2) return new Uint8Array(0);
    const offset = at[0].size();
    const end = offset + at[1].size();
    if (offset < 0 || end < offset || end > this.attachment.length) return new Uint8Array(0);
    return this.attachment.subarray(<i32>offset, <i32>end);
  }

  readState(documents: Json[]): Json | null {
    const d = document(documents, STATE);
    return d != null && readable(d) ? read(decoded(this.span(d, "text"))) : null;
  }

  hasResult(step: Json): bool { return isName(nameOf(step)) && document(this.documents, resultOf(step)) != null; }

  claimsDone(): bool { return this.status == "done"; }
  isDone(): bool { return this.steps.length > 0 && this.answered == this.steps.length; }

  // ---- findings

  /** Opens a finding, unless there are enough. The caller may add remedies and closes it. */
  begin(rule: string, error: bool, key: string, path: string, pointer: string, message: string): bool {
    if (error && this.firstError == "") this.firstError = rule;
    if (++this.findings > MOST_FINDINGS) return false;
    this.w.open("{");
    this.w.member("rule", rule);
    if (key != "") this.w.member("key", key);
    range(this.w, path, pointer);
    this.w.member("message", message);
    return true;
  }

  stateMissing(): void {
    if (document(this.documents, STATE) != null || !this.complete) return;
    const message = "checklist.json is missing, but there are results";
    if (this.begin("state-missing", true, "", STATE, "", message)) this.w.close("}");
  }

  statusBeyondResults(): void {
    if (!this.claimsDone() || this.isDone() || !this.complete) return;
    const message = 'status is "done", but ' + this.answered.toString() + " of " + this.steps.length.toString() + " steps have a result";
    if (!this.begin("status-beyond-results", true, "", STATE, "/status", message)) return;
    setRemedy(this.w, "Set status to open", "/status", '"open"');
    this.w.close("}");
  }

  stepWithoutResult(): void {
    for (let i = 0; i < this.steps.length; i++) {
      const step = this.steps[i];
      if (!this.complete || step.get("status").text() != "done" || !isName(nameOf(step)) || this.hasResult(step)) continue;
      const at = "/steps/" + i.toString() + "/status";
      const message = 'step "' + nameOf(step) + '" is "done", but ' + resultOf(step) + " is missing";
      if (!this.begin("step-without-result", true, at, STATE, at, message)) return;
      setRemedy(this.w, "Set step " + (i + 1).toString() + " to todo", at, '"todo"');
      this.w.close("}");
    }
  }

  /** Asks for what has no answer yet: the plugin is called again. */
  stepWithoutFile(): void {
    const base = this.header.get("base");
    if (base.get("state").text() != "at") return;
    const was = this.readState(base.get("documents").elements()); // empty if the document is unchanged
    if (was == null) return;
    const before = was.get("steps").elements();
    for (let i = 0; i < this.steps.length; i++) {
      const step = this.steps[i];
      const path = step.get("file").text();
      if (!isDone(step) || !isPath(path)) continue;
      let fresh = true;
      for (let j = 0; j < before.length; j++) if (nameOf(before[j]) == nameOf(step) && isDone(before[j])) fresh = false;
      if (!fresh) continue;
      const answered = document(this.header.get("answers").elements(), path) != null;
      if (!answered && this.asks.length < MOST_ASKS && !this.asks.includes(path)) this.asks.push(path);
      if (!absent(this.header.get("answers"), path) || !absent(base.get("answers"), path)) continue;
      const at = "/steps/" + i.toString() + "/status";
      const message = "step " + (i + 1).toString() + ' is "done", but ' + path + " does not exist";
      if (!this.begin("step-without-file", true, at, STATE, at, message)) return;
      setRemedy(this.w, "Set step " + (i + 1).toString() + " to todo", at, '"todo"');
      this.w.close("}");
    }
  }

  /**
   * Looks for a heading in the outline, of which each node is five integers: kind
   * and data, parent, line, start, end.
   */
  hasHeading(d: Json, wanted: string): bool {
    const text = this.span(d, "text");
    const outline = this.span(d, "outline");
    for (let at = 0; at + 20 <= outline.length; at += 20) {
      const node = outline.dataStart + at;
      const start = load<u32>(node, 12);
      const end = load<u32>(node, 16);
      if ((load<u32>(node) & 255) != 1 || start > end || end > <u32>text.length) continue;
      if (title(decoded(text.subarray(start, end))) == wanted) return true;
    }
    return false;
  }

  resultWithoutHeading(): void {
    for (let i = 0; i < this.documents.length; i++) {
      const d = this.documents[i];
      const path = d.get("path").text();
      if (path == STATE || !readable(d) || this.hasHeading(d, "Result")) continue;
      if (!this.begin("result-without-heading", false, "", path, "", path + ' has no heading "Result"')) return;
      this.w.close("}");
    }
  }

  stepLost(): void {
    const base = this.header.get("base");
    if (this.state == null || base.get("state").text() != "at") return;
    const was = this.readState(base.get("documents").elements()); // empty if the document is unchanged
    if (was == null) return;
    const steps = was.get("steps").elements();
    for (let i = 0; i < steps.length; i++) {
      const name = nameOf(steps[i]);
      if (!isName(name) || this.hasStep(name)) continue;
      if (!this.begin("step-lost", false, name, STATE, "/steps", 'step "' + name + '" of the earlier revision is gone')) return;
      this.w.close("}");
    }
  }

  hasStep(name: string): bool {
    for (let i = 0; i < this.steps.length; i++) if (nameOf(this.steps[i]) == name) return true;
    return false;
  }

  // ---- the report

  resume(): void {
    const w = this.w;
    w.key("resume");
    w.open("{");
    if (this.firstError != "") w.member("first", "settle " + this.firstError);
    w.key("read_first");
    w.open("[");
    if (document(this.documents, STATE) != null) w.string(STATE);
    w.close("]");
    w.member("next", this.next());
    w.close("}");
  }

  next(): string {
    for (let i = 0; i < this.steps.length; i++) {
      const step = this.steps[i];
      if (!this.hasResult(step) && isName(nameOf(step))) return "do step " + nameOf(step) + " and write " + resultOf(step);
    }
    if (this.isDone() && !this.claimsDone()) return "set status to done";
    return !this.isDone() || this.firstError != "" ? "repair checklist.json, or restore it from git" : "";
  }

  fit(): string {
    if (this.status == "") return "unknown";
    if (this.claimsDone() == this.isDone()) return "consistent";
    return this.claimsDone() ? "ahead" : "just-behind";
  }

  detection(): void {
    const w = this.w;
    w.open("{");
    w.member("lifecycle", "checklist");
    if (this.state != null) {
      w.member("claimed", this.status);
      w.member("observed", this.isDone() ? "done" : "open");
    }
    w.member("fit", this.fit());
    w.member("state", this.firstError != "" ? "blocked" : this.claimsDone() && this.isDone() ? "finished" : "active");
    w.key("progress");
    w.open("{");
    w.key("done");
    w.number(this.answered);
    w.key("total");
    w.number(this.steps.length);
    w.member("unit", "steps");
    w.close("}");
    this.resume();
    w.close("}");
  }

  /** A checklist.json with a step for each result. */
  rebuilt(): string {
    let steps = "";
    for (let i = 0; i < this.documents.length; i++) {
      const path = this.documents[i].get("path").text();
      if (!path.startsWith("results/") || !path.endsWith(".md")) continue;
      const name = path.substring(8, path.length - 3);
      if (isName(name)) steps += (steps != "" ? "," : "") + '\n    {"name": "' + name + '", "status": "done"}';
    }
    return '{\n  "status": "open",\n  "steps": [' + steps + (steps != "" ? "\n  " : "") + "]\n}\n";
  }

  recovery(): void {
    const d = document(this.documents, STATE);
    if (d != null ? !hasFault(d, "unreadable-document") : !this.complete) return;
    const w = this.w;
    w.open("{");
    w.member("title", "Rebuild checklist.json from the results");
    w.member("safety", "review");
    w.key("fixes");
    w.open("[");
    w.string(d != null ? "unreadable-document" : "state-missing");
    w.close("]");
    w.key("edits");
    w.open("[");
    if (d != null) {
      w.open("{");
      w.member("op", "aside");
      range(w, STATE, "");
      w.member("to", "broken");
      w.close("}");
    }
    w.open("{");
    w.member("op", "create");
    range(w, STATE, "");
    w.member("new", this.rebuilt());
    w.close("}");
    w.close("]");
    w.close("}");
  }

  report(): string {
    const w = this.w;
    w.open("{");
    w.key("diagnostics");
    w.open("[");
    this.stateMissing();
    this.statusBeyondResults();
    this.stepWithoutResult();
    this.stepWithoutFile();
    this.resultWithoutHeading();
    this.stepLost();
    w.close("]");
    w.key("detections");
    w.open("[");
    this.detection();
    w.close("]");
    w.key("recoveries");
    w.open("[");
    this.recovery();
    w.close("]");
    w.key("ask");
    w.open("[");
    this.asks.sort();
    for (let i = 0; i < this.asks.length; i++) w.string(this.asks[i]);
    w.close("]");
    w.close("}");
    return w.toString();
  }
}

function decoded(bytes: Uint8Array): string { return String.UTF8.decodeUnsafe(bytes.dataStart, bytes.length); }

function range(w: Writer, path: string, pointer: string): void {
  w.key("range");
  w.open("{");
  w.member("path", path);
  if (pointer != "") w.member("pointer", pointer);
  w.close("}");
}

/** A safe remedy that sets one value of checklist.json. */
function setRemedy(w: Writer, title: string, pointer: string, value: string): void {
  w.key("remedies");
  w.open("[");
  w.open("{");
  w.member("title", title);
  w.member("safety", "safe");
  w.key("edits");
  w.open("[");
  w.open("{");
  w.member("op", "set");
  range(w, STATE, pointer);
  w.member("new", value);
  w.close("}");
  w.close("]");
  w.close("}");
  w.close("]");
}

/** The text of a heading without its marks. */
function title(heading: string): string {
  let start = 0;
  let end = heading.length;
  while (start < end && "# ".includes(heading.charAt(start))) start++;
  while (start < end && " \n\r#=-".includes(heading.charAt(end - 1))) end--;
  return heading.substring(start, end);
}

/** Splits a request into its header and attachment, and reports. */
function answer(request: Uint8Array): string | null {
  if (request.length < 4) return null;
  const length = load<u32>(request.dataStart);
  if (length > <u32>request.length - 4) return null;
  const header = read(decoded(request.subarray(4, 4 + length)));
  if (header == null || header.kind != Kind.Object) return null;
  return new Look(header, request.subarray(4 + length)).report();
}

// ---- the exports

export function stategate_abi_1(): void {}

export function describe(): i32 {
  output(MANIFEST);
  return 0;
}

export function examine(): i32 {
  const report = answer(input());
  if (report == null) {
    fail("the request cannot be read");
    return 1;
  }
  output(report);
  return 0;
}

/** What AssemblyScript calls when an assertion of its own fails, in place of a function of the host. */
// @ts-ignore: decorator
@global
function stop(message: string | null, file: string | null, line: u32, column: u32): void {
  fail(message == null ? "the plugin stopped" : message);
  unreachable();
}
