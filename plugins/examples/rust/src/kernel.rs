//! The functions that a plugin imports: the part of the Extism kernel that moves
//! bytes. The kernel's memory is not the guest's own, so bytes cross in words of
//! eight. See package sdk/wire of stategate for the whole contract.

#[link(wasm_import_module = "extism:host/env")]
extern "C" {
    fn input_length() -> u64;
    fn input_load_u8(offset: u64) -> u32;
    fn input_load_u64(offset: u64) -> u64;
    fn alloc(length: u64) -> u64;
    fn store_u8(offset: u64, byte: u32);
    fn store_u64(offset: u64, word: u64);
    fn output_set(offset: u64, length: u64);
    fn error_set(offset: u64);
}

/// Returns the request.
pub fn input() -> Vec<u8> {
    unsafe {
        let length = input_length();
        let mut bytes = Vec::with_capacity(length as usize);
        let whole = length & !7;
        for at in (0..whole).step_by(8) {
            bytes.extend_from_slice(&input_load_u64(at).to_le_bytes());
        }
        for at in whole..length {
            bytes.push(input_load_u8(at) as u8);
        }
        bytes
    }
}

fn stored(bytes: &[u8]) -> u64 {
    unsafe {
        let start = alloc(bytes.len() as u64);
        let mut at = start;
        let words = bytes.chunks_exact(8);
        let rest = words.remainder();
        for word in words {
            store_u64(at, u64::from_le_bytes(word.try_into().unwrap()));
            at += 8;
        }
        for &byte in rest {
            store_u8(at, byte as u32);
            at += 1;
        }
        start
    }
}

/// Sends the answer.
pub fn output(answer: &str) {
    unsafe { output_set(stored(answer.as_bytes()), answer.len() as u64) }
}

/// Reports why the plugin cannot answer; the export returns 1 afterwards.
pub fn fail(why: &str) {
    unsafe { error_set(stored(why.as_bytes())) }
}
