#include "json.h"

#include <string.h>

static json nothing;

typedef struct {
  const char *at, *end;
} reader;

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t')) r->at++;
}

static bool take(reader *r, char c) {
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool take_word(reader *r, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static bool digits(reader *r) {
  const char *from = r->at;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') r->at++;
  return r->at > from;
}

static bool number(reader *r, text *out) {
  const char *from = r->at;
  take(r, '-');
  if (!take(r, '0') && !digits(r)) return false;
  if (take(r, '.') && !digits(r)) return false;
  if (take(r, 'e') || take(r, 'E')) {
    if (!take(r, '+')) take(r, '-');
    if (!digits(r)) return false;
  }
  *out = (text){from, (size_t)(r->at - from)};
  return true;
}

static bool hex4(reader *r, uint32_t *out) {
  uint32_t n = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    if (r->at == r->end) return false;
    char c = *r->at;
    if (c >= '0' && c <= '9') n = n * 16 + (uint32_t)(c - '0');
    else if ((c | 32) >= 'a' && (c | 32) <= 'f') n = n * 16 + (uint32_t)((c | 32) - 'a') + 10;
    else return false;
  }
  *out = n;
  return true;
}

// character writes a code point as UTF-8 and returns the place behind it.
static char *character(char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xc0 | c >> 6);
    *to++ = (char)(0x80 | (c & 63));
  } else if (c < 0x10000) {
    *to++ = (char)(0xe0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  } else {
    *to++ = (char)(0xf0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 63));
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  }
  return to;
}

// escape reads what stands behind a backslash.
static bool escape(reader *r, char **to) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end) return false;
  char c = *r->at++;
  if (c != 'u') {
    const char *found = c ? strchr(names, c) : NULL;
    if (!found) return false;
    *(*to)++ = values[found - names];
    return true;
  }
  uint32_t n, low;
  if (!hex4(r, &n)) return false;
  if (n >= 0xd800 && n < 0xdc00 && take_word(r, "\\u")) {
    if (!hex4(r, &low) || low < 0xdc00 || low > 0xdfff) return false;
    n = 0x10000 + ((n - 0xd800) << 10) + (low - 0xdc00);
  } else if (n >= 0xd800 && n < 0xe000) {
    return false;  // half of a pair
  }
  *to = character(*to, n);
  return true;
}

static bool string(reader *r, text *out) {
  if (!take(r, '"')) return false;
  const char *from = r->at;
  while (r->at < r->end && *r->at != '"') r->at += *r->at == '\\' ? 2 : 1;
  if (r->at >= r->end) return false;
  size_t room = (size_t)(r->at - from);
  r->at = from;
  char *bytes = new_bytes(room), *to = bytes;
  for (;;) {
    char c = *r->at++;
    if (c == '"') break;
    if ((unsigned char)c < 0x20) return false;
    if (c != '\\') *to++ = c;
    else if (!escape(r, &to)) return false;
  }
  *out = (text){bytes, (size_t)(to - bytes)};
  return true;
}

static json *value(reader *r, int depth);

// list reads the elements of an array, or the members of an object.
static bool list(reader *r, json *into, char close, int depth) {
  json **end = &into->first;
  skip_space(r);
  if (take(r, close)) return true;
  do {
    text key = {0};
    skip_space(r);
    if (close == '}') {
      if (!string(r, &key)) return false;
      skip_space(r);
      if (!take(r, ':')) return false;
    }
    json *v = value(r, depth + 1);
    if (!v) return false;
    v->key = key;
    *end = v;
    end = &v->next;
    skip_space(r);
  } while (take(r, ','));
  return take(r, close);
}

static json *value(reader *r, int depth) {
  json *v = new_bytes(sizeof *v);
  bool ok = depth < JSON_DEPTH;
  skip_space(r);
  if (!ok || r->at == r->end) return NULL;
  const char *from = r->at;
  switch (*r->at) {
    case '{': r->at++; v->kind = JSON_OBJECT; ok = list(r, v, '}', depth); break;
    case '[': r->at++; v->kind = JSON_ARRAY; ok = list(r, v, ']', depth); break;
    case '"': v->kind = JSON_STRING; ok = string(r, &v->value); break;
    case 't': v->kind = JSON_BOOL; ok = take_word(r, "true"); break;
    case 'f': v->kind = JSON_BOOL; ok = take_word(r, "false"); break;
    case 'n': v->kind = JSON_NULL; ok = take_word(r, "null"); break;
    default: v->kind = JSON_NUMBER; ok = number(r, &v->value);
  }
  if (v->kind == JSON_BOOL) v->value = (text){from, (size_t)(r->at - from)};
  return ok ? v : NULL;
}

json *json_read(text t) {
  reader r = {t.at, t.at + t.length};
  json *v = value(&r, 0);
  skip_space(&r);
  return r.at == r.end ? v : NULL;
}

bool same(text a, text b) { return a.length == b.length && memcmp(a.at, b.at, a.length) == 0; }

json *json_get(json *object, const char *key) {
  json *found = &nothing;
  if (object->kind != JSON_OBJECT) return found;
  for (json *m = object->first; m; m = m->next)
    if (same(m->key, (text){key, strlen(key)})) found = m;
  return found;
}

text json_text(json *v) { return v->kind == JSON_STRING ? v->value : TEXT(""); }

size_t json_size(json *v) {
  size_t n = 0;
  if (v->kind != JSON_NUMBER) return 0;
  for (size_t i = 0; i < v->value.length; i++) {
    char c = v->value.at[i];
    if (c < '0' || c > '9') return 0;
    n = n * 10 + (size_t)(c - '0');
  }
  return n;
}

bool json_is(json *v, const char *string) { return v->kind == JSON_STRING && same(v->value, (text){string, strlen(string)}); }

void write_raw(writer *w, text t) {
  if (w->length + t.length > w->room) {
    w->room = 2 * (w->length + t.length);
    char *more = new_bytes(w->room);
    memcpy(more, w->at, w->length);
    w->at = more;
  }
  memcpy(w->at + w->length, t.at, t.length);
  w->length += t.length;
}

static void write_char(writer *w, char c) { write_raw(w, (text){&c, 1}); }

// separate puts the comma before a member or element that is not the first.
static void separate(writer *w) {
  if (w->comma) write_char(w, ',');
  w->comma = true;
}

void write_string(writer *w, text t) {
  static const char hex[] = "0123456789abcdef";
  separate(w);
  write_char(w, '"');
  for (size_t i = 0; i < t.length; i++) {
    unsigned char c = (unsigned char)t.at[i];
    if (c < 0x20) {
      write_raw(w, TEXT("\\u00"));
      write_char(w, hex[c >> 4]);
      write_char(w, hex[c & 15]);
      continue;
    }
    if (c == '"' || c == '\\') write_char(w, '\\');
    write_char(w, (char)c);
  }
  write_char(w, '"');
}

void write_number(writer *w, size_t n) {
  char digits[20];
  size_t i = sizeof digits;
  separate(w);
  do digits[--i] = (char)('0' + n % 10);
  while (n /= 10);
  write_raw(w, (text){digits + i, sizeof digits - i});
}

void write_key(writer *w, const char *key) {
  write_string(w, (text){key, strlen(key)});
  write_char(w, ':');
  w->comma = false;
}

void write_open(writer *w, char bracket) {
  separate(w);
  write_char(w, bracket);
  w->comma = false;
}

void write_close(writer *w, char bracket) {
  write_char(w, bracket);
  w->comma = true;
}

void write_member(writer *w, const char *key, text value) {
  write_key(w, key);
  write_string(w, value);
}
