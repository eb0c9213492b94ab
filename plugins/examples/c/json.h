// Reading and writing JSON (RFC 8259). Values are read into one array of
// nodes; nothing is ever freed before the next request.
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>

#include "stategate.h"

// Deeper values are refused: reading recurses.
#define JSON_DEPTH 128

typedef enum { JSON_NONE, JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json {
  json_kind kind;
  text key;            // of a member
  text value;          // of a string, unescaped; of a number, as it is written; of a bool, "true" or "false"
  struct json *first;  // of an array or object
  struct json *next;   // behind it in its array or object
} json;

// json_read returns the value that a whole text holds, NULL if it holds none.
json *json_read(text t);
// json_get returns a member; the last one counts. Without one, or without an
// object, it returns a value of kind JSON_NONE. It never returns NULL.
json *json_get(json *object, const char *key);
// json_text returns a string, "" for anything else.
text json_text(json *value);
// json_size returns a number that is no fraction, 0 for anything else.
size_t json_size(json *value);
bool json_is(json *value, const char *string);

bool same(text a, text b);

// A writer grows. Members and elements get their commas by themselves.
typedef struct {
  char *at;
  size_t length, room;
  bool comma;
} writer;

void write_raw(writer *w, text t);
void write_string(writer *w, text t);
void write_number(writer *w, size_t n);
void write_key(writer *w, const char *key);
void write_open(writer *w, char bracket);
void write_close(writer *w, char bracket);
// write_member writes a key and a string.
void write_member(writer *w, const char *key, text value);

#endif
