// The checklist workflow: .checklist/<name>/checklist.json holds the steps, and
// results/<step>.md the result of each. Its manifest is ../manifest.json.
#include <string.h>

#include "json.h"
#include "manifest.h"
#include "stategate.h"

enum { MOST_FINDINGS = 500, MOST_ASKS = 500, HEADING = 1, NODE = 20 };

typedef struct {
  json *header;      // of the request
  text attachment;
  json *documents;   // the first one
  json *state;       // checklist.json, parsed; NULL if it is missing or cannot be read
  json *steps;       // the first one
  size_t count;      // of steps
  size_t answered;   // steps that have a result
  bool complete;     // what is not in the snapshot is not there
  writer out;
  text asks[MOST_ASKS];  // paths outside of the checklist, sorted
  size_t asked;
  size_t findings;
  const char *first_error;  // the rule of the first error
} look;

// ---- documents

// document finds what has a path: a document, or an answer.
static json *document(json *list, text path) {
  for (json *d = list; d; d = d->next)
    if (same(json_text(json_get(d, "path")), path)) return d;
  return NULL;
}

// span is the part of the attachment that a member of a document names.
static text span(look *l, json *d, const char *member) {
  json *at = json_get(d, member)->first;
  if (!at || !at->next) return TEXT("");
  size_t offset = json_size(at), length = json_size(at->next);
  if (offset > l->attachment.length || length > l->attachment.length - offset) return TEXT("");
  return (text){l->attachment.at + offset, length};
}

static bool has_fault(json *d, const char *rule) {
  for (json *f = json_get(d, "faults")->first; f; f = f->next)
    if (json_is(json_get(f, "rule"), rule)) return true;
  return false;
}

// readable says whether the text is here and whole. need is left out if it is "content".
static bool readable(json *d) {
  text need = json_text(json_get(d, "need"));
  return (need.length == 0 || same(need, TEXT("content"))) && !has_fault(d, "unreadable-document") && !has_fault(d, "not-a-file") &&
         !has_fault(d, "too-large");
}

// state reads a checklist.json, NULL if there is none that can be read.
static json *read_state(look *l, json *documents) {
  json *d = document(documents, TEXT("checklist.json"));
  return d && readable(d) ? json_read(span(l, d, "text")) : NULL;
}

// is_name says whether a step has a name that a file can have.
static bool is_name(text t) {
  for (size_t i = 0; i < t.length; i++) {
    char c = t.at[i];
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-') return false;
  }
  return t.length > 0 && t.length <= 64;
}

static text name_of(json *step) { return json_text(json_get(step, "name")); }

// joined writes texts one behind the other.
static text joined(const text *parts, size_t n) {
  writer w = {0};
  for (size_t i = 0; i < n; i++) write_raw(&w, parts[i]);
  return (text){w.at, w.length};
}

#define JOINED(...) joined((const text[]){__VA_ARGS__}, sizeof((const text[]){__VA_ARGS__}) / sizeof(text))

static text result_of(json *step) { return JOINED(TEXT("results/"), name_of(step), TEXT(".md")); }

static bool has_result(look *l, json *step) { return is_name(name_of(step)) && document(l->documents, result_of(step)); }

static text decimal(size_t n) {
  writer w = {0};
  write_number(&w, n);
  return (text){w.at, w.length};
}

static void prepare(look *l) {
  l->documents = json_get(l->header, "documents")->first;
  l->complete = json_get(l->header, "unseen")->first == NULL;
  l->state = read_state(l, l->documents);
  l->steps = l->state ? json_get(l->state, "steps")->first : NULL;
  for (json *s = l->steps; s; s = s->next) {
    l->count++;
    l->answered += has_result(l, s);
  }
}

static bool claims_done(look *l) { return l->state && json_is(json_get(l->state, "status"), "done"); }
static bool is_done(look *l) { return l->count > 0 && l->answered == l->count; }

// ---- findings

static void write_range(writer *w, text path, text pointer) {
  write_key(w, "range");
  write_open(w, '{');
  write_member(w, "path", path);
  if (pointer.length) write_member(w, "pointer", pointer);
  write_close(w, '}');
}

// begin opens a finding, unless there are enough. The caller may add remedies and ends it.
static bool begin(look *l, const char *rule, bool error, text key, text path, text pointer, text message) {
  if (error && !l->first_error) l->first_error = rule;
  if (l->findings++ >= MOST_FINDINGS) return false;
  writer *w = &l->out;
  write_open(w, '{');
  write_member(w, "rule", (text){rule, strlen(rule)});
  if (key.length) write_member(w, "key", key);
  write_range(w, path, pointer);
  write_member(w, "message", message);
  return true;
}

static void end(look *l) { write_close(&l->out, '}'); }

// set_remedy is a safe remedy that sets one value of checklist.json.
static void set_remedy(writer *w, text title, text pointer, text json_value) {
  write_key(w, "remedies");
  write_open(w, '[');
  write_open(w, '{');
  write_member(w, "title", title);
  write_member(w, "safety", TEXT("safe"));
  write_key(w, "edits");
  write_open(w, '[');
  write_open(w, '{');
  write_member(w, "op", TEXT("set"));
  write_range(w, TEXT("checklist.json"), pointer);
  write_member(w, "new", json_value);
  write_close(w, '}');
  write_close(w, ']');
  write_close(w, '}');
  write_close(w, ']');
}

static void state_missing(look *l) {
  if (document(l->documents, TEXT("checklist.json")) || !l->complete) return;
  text message = TEXT("checklist.json is missing, but there are results");
  if (begin(l, "state-missing", true, TEXT(""), TEXT("checklist.json"), TEXT(""), message)) end(l);
}

static void status_beyond_results(look *l) {
  if (!claims_done(l) || is_done(l) || !l->complete) return;
  text message = JOINED(TEXT("status is \"done\", but "), decimal(l->answered), TEXT(" of "), decimal(l->count), TEXT(" steps have a result"));
  if (!begin(l, "status-beyond-results", true, TEXT(""), TEXT("checklist.json"), TEXT("/status"), message)) return;
  set_remedy(&l->out, TEXT("Set status to open"), TEXT("/status"), TEXT("\"open\""));
  end(l);
}

static void step_without_result(look *l) {
  if (!l->complete) return;
  size_t i = 0;
  for (json *s = l->steps; s; s = s->next, i++) {
    if (!json_is(json_get(s, "status"), "done") || !is_name(name_of(s)) || has_result(l, s)) continue;
    text at = JOINED(TEXT("/steps/"), decimal(i), TEXT("/status"));
    text message = JOINED(TEXT("step \""), name_of(s), TEXT("\" is \"done\", but "), result_of(s), TEXT(" is missing"));
    if (!begin(l, "step-without-result", true, at, TEXT("checklist.json"), at, message)) return;
    set_remedy(&l->out, JOINED(TEXT("Set step "), decimal(i + 1), TEXT(" to todo")), at, TEXT("\"todo\""));
    end(l);
  }
}

// compare orders texts by their bytes.
static int compare(text a, text b) {
  int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);
  return order ? order : a.length < b.length ? -1 : a.length > b.length;
}

// is_path says whether a step names a file that may be asked for: clean, and nothing hidden.
static bool is_path(text t) {
  char before = '/';
  for (size_t i = 0; i < t.length; before = t.at[i++]) {
    char c = t.at[i];
    if (before == '/' && (c == '/' || c == '.' || c == '-')) return false;
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && !memchr("._-/", c, 4)) return false;
  }
  return before != '/' && t.length <= 256;
}

// ask notes a path in its place.
static void ask(look *l, text path) {
  size_t at = l->asked;
  while (at > 0 && compare(l->asks[at - 1], path) > 0) at--;
  if (l->asked == MOST_ASKS || (at > 0 && same(l->asks[at - 1], path))) return;
  memmove(l->asks + at + 1, l->asks + at, (l->asked++ - at) * sizeof(text));
  l->asks[at] = path;
}

static bool absent(json *answers, text path) {
  json *answer = document(answers->first, path);
  return answer && json_is(json_get(answer, "presence"), "absent");
}

// step_without_file asks for what has no answer yet: the plugin is called again.
static void step_without_file(look *l) {
  json *base = json_get(l->header, "base");
  if (!json_is(json_get(base, "state"), "at")) return;
  json *was = read_state(l, json_get(base, "documents")->first);  // of one that is the same nothing is sent, and nothing is new
  size_t i = 0;
  for (json *s = was ? l->steps : NULL; s; s = s->next, i++) {
    text path = json_text(json_get(s, "file"));
    bool fresh = json_is(json_get(s, "status"), "done") && is_path(path);
    for (json *b = json_get(was, "steps")->first; b && fresh; b = b->next)
      fresh = !same(name_of(b), name_of(s)) || !json_is(json_get(b, "status"), "done");
    if (!fresh) continue;
    if (!document(json_get(l->header, "answers")->first, path)) ask(l, path);
    if (!absent(json_get(l->header, "answers"), path) || !absent(json_get(base, "answers"), path)) continue;
    text at = JOINED(TEXT("/steps/"), decimal(i), TEXT("/status"));
    text message = JOINED(TEXT("step "), decimal(i + 1), TEXT(" is \"done\", but "), path, TEXT(" does not exist"));
    if (!begin(l, "step-without-file", true, at, TEXT("checklist.json"), at, message)) return;
    set_remedy(&l->out, JOINED(TEXT("Set step "), decimal(i + 1), TEXT(" to todo")), at, TEXT("\"todo\""));
    end(l);
  }
}

static uint32_t word(text t, size_t at) {
  uint32_t n;
  memcpy(&n, t.at + at, 4);
  return n;
}

// title is the text of a heading without its marks.
static text title(text t) {
  while (t.length && (*t.at == '#' || *t.at == ' ')) t.at++, t.length--;
  while (t.length && strchr(" \n\r#=-", t.at[t.length - 1])) t.length--;
  return t;
}

// has_heading looks for the heading in the outline, of which each node is five
// integers: kind and data, parent, line, start, end.
static bool has_heading(look *l, json *d, text wanted) {
  text body = span(l, d, "text"), outline = span(l, d, "outline");
  for (size_t at = 0; at + NODE <= outline.length; at += NODE) {
    size_t start = word(outline, at + 12), stop = word(outline, at + 16);
    if ((word(outline, at) & 255) != HEADING || start > stop || stop > body.length) continue;
    if (same(title((text){body.at + start, stop - start}), wanted)) return true;
  }
  return false;
}

static void result_without_heading(look *l) {
  for (json *d = l->documents; d; d = d->next) {
    text path = json_text(json_get(d, "path"));
    if (same(path, TEXT("checklist.json")) || !readable(d) || has_heading(l, d, TEXT("Result"))) continue;
    if (!begin(l, "result-without-heading", false, TEXT(""), path, TEXT(""), JOINED(path, TEXT(" has no heading \"Result\"")))) return;
    end(l);
  }
}

static void step_lost(look *l) {
  json *base = json_get(l->header, "base");
  if (!l->state || !json_is(json_get(base, "state"), "at")) return;
  json *was = read_state(l, json_get(base, "documents")->first);  // of one that is the same nothing is sent, and nothing is lost
  for (json *s = was ? json_get(was, "steps")->first : NULL; s; s = s->next) {
    bool here = false;
    for (json *now = l->steps; now && !here; now = now->next) here = same(name_of(now), name_of(s));
    if (here || !is_name(name_of(s))) continue;
    text message = JOINED(TEXT("step \""), name_of(s), TEXT("\" of the earlier revision is gone"));
    if (!begin(l, "step-lost", false, name_of(s), TEXT("checklist.json"), TEXT("/steps"), message)) return;
    end(l);
  }
}

// ---- the report

static void write_resume(look *l, writer *w) {
  json *next = l->steps;
  while (next && (has_result(l, next) || !is_name(name_of(next)))) next = next->next;
  write_key(w, "resume");
  write_open(w, '{');
  if (l->first_error) write_member(w, "first", JOINED(TEXT("settle "), (text){l->first_error, strlen(l->first_error)}));
  write_key(w, "read_first");
  write_open(w, '[');
  if (document(l->documents, TEXT("checklist.json"))) write_string(w, TEXT("checklist.json"));
  write_close(w, ']');
  if (next) write_member(w, "next", JOINED(TEXT("do step "), name_of(next), TEXT(" and write "), result_of(next)));
  else if (is_done(l) && !claims_done(l)) write_member(w, "next", TEXT("set status to done"));
  write_close(w, '}');
}

static void write_detection(look *l, writer *w) {
  bool claimed = claims_done(l), observed = is_done(l);
  write_open(w, '{');
  write_member(w, "lifecycle", TEXT("checklist"));
  if (l->state) {
    text status = json_text(json_get(l->state, "status"));
    write_member(w, "claimed", status);
    write_member(w, "observed", observed ? TEXT("done") : TEXT("open"));
    if (status.length) write_member(w, "fit", claimed == observed ? TEXT("fits") : claimed ? TEXT("ahead") : TEXT("lags"));
  }
  write_member(w, "state", l->first_error ? TEXT("blocked") : claimed && observed ? TEXT("finished") : TEXT("active"));
  write_key(w, "progress");
  write_open(w, '{');
  write_key(w, "done");
  write_number(w, l->answered);
  write_key(w, "total");
  write_number(w, l->count);
  write_member(w, "unit", TEXT("steps"));
  write_close(w, '}');
  write_resume(l, w);
  write_close(w, '}');
}

// rebuilt is a checklist.json with a step for each result.
static text rebuilt(look *l) {
  const text folder = TEXT("results/"), ending = TEXT(".md");
  writer w = {0};
  write_raw(&w, TEXT("{\n  \"status\": \"open\",\n  \"steps\": ["));
  bool any = false;
  for (json *d = l->documents; d; d = d->next) {
    text path = json_text(json_get(d, "path"));
    if (path.length < folder.length + ending.length) continue;
    text name = {path.at + folder.length, path.length - folder.length - ending.length};
    if (memcmp(path.at, folder.at, folder.length) != 0 || !is_name(name)) continue;
    write_raw(&w, any ? TEXT(",\n    ") : TEXT("\n    "));
    write_raw(&w, JOINED(TEXT("{\"name\": \""), name, TEXT("\", \"status\": \"done\"}")));
    any = true;
  }
  write_raw(&w, any ? TEXT("\n  ]\n}\n") : TEXT("]\n}\n"));
  return (text){w.at, w.length};
}

static void write_recovery(look *l, writer *w) {
  json *d = document(l->documents, TEXT("checklist.json"));
  if (d ? !has_fault(d, "unreadable-document") : !l->complete) return;
  write_open(w, '{');
  write_member(w, "title", TEXT("Rebuild checklist.json from the results"));
  write_member(w, "safety", TEXT("review"));
  write_key(w, "heals");
  write_open(w, '[');
  write_string(w, d ? TEXT("unreadable-document") : TEXT("state-missing"));
  write_close(w, ']');
  write_key(w, "edits");
  write_open(w, '[');
  if (d) {
    write_open(w, '{');
    write_member(w, "op", TEXT("aside"));
    write_range(w, TEXT("checklist.json"), TEXT(""));
    write_member(w, "to", TEXT("broken"));
    write_close(w, '}');
  }
  write_open(w, '{');
  write_member(w, "op", TEXT("create"));
  write_range(w, TEXT("checklist.json"), TEXT(""));
  write_member(w, "new", rebuilt(l));
  write_close(w, '}');
  write_close(w, ']');
  write_close(w, '}');
}

static text report(look *l) {
  prepare(l);
  writer *w = &l->out;
  write_open(w, '{');
  write_key(w, "diagnostics");
  write_open(w, '[');
  state_missing(l);
  status_beyond_results(l);
  step_without_result(l);
  step_without_file(l);
  result_without_heading(l);
  step_lost(l);
  write_close(w, ']');
  write_key(w, "detections");
  write_open(w, '[');
  write_detection(l, w);
  write_close(w, ']');
  write_key(w, "recoveries");
  write_open(w, '[');
  write_recovery(l, w);
  write_close(w, ']');
  write_key(w, "ask");
  write_open(w, '[');
  for (size_t i = 0; i < l->asked; i++) write_string(w, l->asks[i]);
  write_close(w, ']');
  write_close(w, '}');
  return (text){w->at, w->length};
}

// ---- the exports

EXPORT("stategate_abi_1") void stategate_abi_1(void) {}

EXPORT("describe") int32_t describe(void) {
  output(TEXT(MANIFEST));
  return 0;
}

EXPORT("examine") int32_t examine(void) {
  forget();
  text request = input();
  look l = {0};
  if (request.length >= 4) {
    size_t n = word(request, 0);
    if (n <= request.length - 4) {
      l.header = json_read((text){request.at + 4, n});
      l.attachment = (text){request.at + 4 + n, request.length - 4 - n};
    }
  }
  if (!l.header) {
    fail(TEXT("the request cannot be read"));
    return 1;
  }
  output(report(&l));
  return 0;
}
