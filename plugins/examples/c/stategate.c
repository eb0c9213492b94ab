#include "stategate.h"

#include <string.h>

extern unsigned char __heap_base;  // the linker's: nothing lies behind it
static uintptr_t top;

void forget(void) { top = ((uintptr_t)&__heap_base + 7) & ~(uintptr_t)7; }

void *new_bytes(size_t length) {
  const size_t page = 65536;
  uintptr_t at = top, end = at + ((length + 7) & ~(size_t)7);
  size_t have = __builtin_wasm_memory_size(0) * page;
  if (end < at) __builtin_trap();
  if (end > have && __builtin_wasm_memory_grow(0, (end - have + page - 1) / page) == (size_t)-1) __builtin_trap();
  top = end;
  return memset((void *)at, 0, length);
}

text input(void) {
  uint64_t length = kernel_input_length();
  char *bytes = new_bytes(length);
  uint64_t whole = length & ~(uint64_t)7;
  for (uint64_t i = 0; i < whole; i += 8) {
    uint64_t word = kernel_input_load_u64(i);
    memcpy(bytes + i, &word, 8);
  }
  for (uint64_t i = whole; i < length; i++) bytes[i] = (char)kernel_input_load_u8(i);
  return (text){bytes, length};
}

static uint64_t stored(text t) {
  uint64_t at = kernel_alloc(t.length), whole = t.length & ~(uint64_t)7;
  for (uint64_t i = 0; i < whole; i += 8) {
    uint64_t word;
    memcpy(&word, t.at + i, 8);
    kernel_store_u64(at + i, word);
  }
  for (uint64_t i = whole; i < t.length; i++) kernel_store_u8(at + i, (unsigned char)t.at[i]);
  return at;
}

void output(text answer) { kernel_output_set(stored(answer), answer.length); }

void fail(text why) { kernel_error_set(stored(why)); }
