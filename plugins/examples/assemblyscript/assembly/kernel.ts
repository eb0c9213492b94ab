// The functions that a plugin imports: the part of the Extism kernel that moves
// bytes. The kernel's memory is not the guest's own, so bytes cross in words of
// eight. See package sdk/wire of stategate for the whole contract.

// @ts-ignore: decorator
@external("extism:host/env", "input_length") declare function input_length(): u64;
// @ts-ignore: decorator
@external("extism:host/env", "input_load_u8") declare function input_load_u8(offset: u64): u32;
// @ts-ignore: decorator
@external("extism:host/env", "input_load_u64") declare function input_load_u64(offset: u64): u64;
// @ts-ignore: decorator
@external("extism:host/env", "alloc") declare function alloc(length: u64): u64;
// @ts-ignore: decorator
@external("extism:host/env", "store_u8") declare function store_u8(offset: u64, byte: u32): void;
// @ts-ignore: decorator
@external("extism:host/env", "store_u64") declare function store_u64(offset: u64, word: u64): void;
// @ts-ignore: decorator
@external("extism:host/env", "output_set") declare function output_set(offset: u64, length: u64): void;
// @ts-ignore: decorator
@external("extism:host/env", "error_set") declare function error_set(offset: u64): void;

/** Copies what stategate sent. */
export function input(): Uint8Array {
  const length = input_length();
  const whole = length & ~7;
  const bytes = new Uint8Array(<i32>length);
  for (let at: u64 = 0; at < whole; at += 8) store<u64>(bytes.dataStart + <usize>at, input_load_u64(at));
  for (let at = whole; at < length; at++) bytes[<i32>at] = <u8>input_load_u8(at);
  return bytes;
}

function stored(bytes: Uint8Array): u64 {
  const length = <u64>bytes.length;
  const whole = length & ~7;
  const start = alloc(length);
  for (let at: u64 = 0; at < whole; at += 8) store_u64(start + at, load<u64>(bytes.dataStart + <usize>at));
  for (let at = whole; at < length; at++) store_u8(start + at, bytes[<i32>at]);
  return start;
}

/** Answers. */
export function output(answer: string): void {
  const bytes = Uint8Array.wrap(String.UTF8.encode(answer));
  output_set(stored(bytes), bytes.length);
}

/** Says why the plugin cannot answer; the export returns 1 afterwards. */
export function fail(why: string): void {
  error_set(stored(Uint8Array.wrap(String.UTF8.encode(why))));
}
