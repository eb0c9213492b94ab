// What a plugin takes from stategate: the part of the Extism kernel that
// moves bytes. The kernel's memory is not the guest's own, so bytes cross in words
// of eight. See package sdk/wire of stategate for the whole contract.
#ifndef STATEGATE_H
#define STATEGATE_H

#include <stddef.h>
#include <stdint.h>

#define KERNEL(name) __attribute__((import_module("extism:host/env"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name), visibility("default")))

KERNEL("input_length") uint64_t kernel_input_length(void);
KERNEL("input_load_u8") uint32_t kernel_input_load_u8(uint64_t offset);
KERNEL("input_load_u64") uint64_t kernel_input_load_u64(uint64_t offset);
KERNEL("alloc") uint64_t kernel_alloc(uint64_t length);
KERNEL("store_u8") void kernel_store_u8(uint64_t offset, uint32_t byte);
KERNEL("store_u64") void kernel_store_u64(uint64_t offset, uint64_t word);
KERNEL("output_set") void kernel_output_set(uint64_t offset, uint64_t length);
KERNEL("error_set") void kernel_error_set(uint64_t offset);

// A text is bytes of UTF-8, not ended by a zero.
typedef struct {
  const char *at;
  size_t length;
} text;

#define TEXT(literal) ((text){(literal), sizeof(literal) - 1})

// new_bytes returns zeroed memory, at a multiple of 8. It ends the plugin when
// there is none: the host says so. Nothing is freed but by forget.
void *new_bytes(size_t length);
// forget gives back all that new_bytes gave. An instance answers many requests.
void forget(void);

// input copies what stategate sent into new memory.
text input(void);
// output is what the plugin answers.
void output(text answer);
// fail says why the plugin cannot answer; the export returns 1 afterwards.
void fail(text why);

#endif
