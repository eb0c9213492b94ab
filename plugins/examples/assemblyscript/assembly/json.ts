// Reading and writing JSON (RFC 8259).

/** Deeper values are refused: reading recurses. */
const DEPTH = 128;

export enum Kind { Null, Bool, Number, Text, Array, Object }

export class Json {
  keys: string[] = []; // of an object's items
  items: Json[] = []; // of an array or object
  constructor(public kind: Kind, public value: string = "") {} // of a text; of a number, as it is written

  /** A member; the last one counts. Null if there is none, or no object. */
  get(key: string): Json {
    for (let i = this.keys.length - 1; i >= 0; i--) if (this.keys[i] == key) return this.items[i];
    return new Json(Kind.Null);
  }

  /** A string, "" for anything else. */
  text(): string { return this.kind == Kind.Text ? this.value : ""; }

  /** The elements of an array, none of anything else. */
  elements(): Json[] { return this.kind == Kind.Array ? this.items : []; }

  /** A number without a fraction, 0 for anything else. */
  size(): i64 {
    if (this.kind != Kind.Number) return 0;
    let n: i64 = 0;
    for (let i = 0; i < this.value.length; i++) {
      const c = this.value.charCodeAt(i);
      if (c < 48 || c > 57) return 0;
      n = n * 10 + (c - 48);
    }
    return n;
  }
}

/** The value that a whole text holds, or null. */
export function read(text: string): Json | null {
  const r = new Reader(text);
  const v = r.value(0);
  r.space();
  return r.at == text.length ? v : null;
}

class Reader {
  at: i32 = 0;
  constructor(private source: string) {}

  private peek(): i32 { return this.at < this.source.length ? this.source.charCodeAt(this.at) : -1; }

  space(): void {
    for (let c = this.peek(); c == 32 || c == 10 || c == 13 || c == 9; c = this.peek()) this.at++;
  }

  private take(word: string): bool {
    if (!this.source.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  value(depth: i32): Json | null {
    this.space();
    if (depth == DEPTH) return null;
    if (this.take("{")) return this.list(new Json(Kind.Object), "}", depth);
    if (this.take("[")) return this.list(new Json(Kind.Array), "]", depth);
    if (this.peek() == 34) {
      const s = this.string();
      return s == null ? null : new Json(Kind.Text, s);
    }
    if (this.take("true") || this.take("false")) return new Json(Kind.Bool);
    if (this.take("null")) return new Json(Kind.Null);
    return this.number();
  }

  /** Reads the elements of an array, or the members of an object. */
  private list(into: Json, close: string, depth: i32): Json | null {
    this.space();
    if (this.take(close)) return into;
    do {
      this.space();
      if (into.kind == Kind.Object) {
        const key = this.string();
        this.space();
        if (key == null || !this.take(":")) return null;
        into.keys.push(key);
      }
      const v = this.value(depth + 1);
      if (v == null) return null;
      into.items.push(v);
      this.space();
    } while (this.take(","));
    return this.take(close) ? into : null;
  }

  private digits(): bool {
    const from = this.at;
    for (let c = this.peek(); c >= 48 && c <= 57; c = this.peek()) this.at++;
    return this.at > from;
  }

  private number(): Json | null {
    const from = this.at;
    this.take("-");
    if (!this.take("0") && !this.digits()) return null;
    if (this.take(".") && !this.digits()) return null;
    if (this.take("e") || this.take("E")) {
      if (!this.take("+")) this.take("-");
      if (!this.digits()) return null;
    }
    return new Json(Kind.Number, this.source.substring(from, this.at));
  }

  private string(): string | null {
    if (!this.take('"')) return null;
    let out = "";
    let from = this.at;
    let c = this.peek();
    for (; c >= 32; c = this.peek()) { // below lie control characters, and the end
      if (c != 34 && c != 92) {
        this.at++;
        continue;
      }
      out += this.source.substring(from, this.at++);
      if (c == 34) return out;
      const e = this.escape();
      if (e == null) return null;
      out += e;
      from = this.at;
    }
    return null;
  }

  /** What stands behind a backslash. */
  private escape(): string | null {
    if (this.take("u")) return this.unicode();
    const i = '"\\/bfnrt'.indexOf(this.source.charAt(this.at));
    if (i < 0 || this.peek() < 0) return null;
    this.at++;
    return '"\\/\b\f\n\r\t'.charAt(i);
  }

  private unicode(): string | null {
    const high = this.hex4();
    if (high < 0) return null;
    if (high < 0xd800 || high > 0xdfff) return String.fromCharCode(high);
    if (high > 0xdbff || !this.take("\\u")) return null; // half of a pair
    const low = this.hex4();
    if (low < 0xdc00 || low > 0xdfff) return null;
    return String.fromCharCode(high, low);
  }

  private hex4(): i32 {
    let n = 0;
    for (let i = 0; i < 4; i++, this.at++) {
      const c = this.peek() | 32;
      if (c >= 48 && c <= 57) n = n * 16 + c - 48;
      else if (c >= 97 && c <= 102) n = n * 16 + c - 87;
      else return -1;
    }
    return n;
  }
}

/** Writes JSON. Members and elements get their commas by themselves. */
export class Writer {
  private parts: string[] = [];
  private comma: bool = false;

  toString(): string { return this.parts.join(""); }

  private separate(): void {
    if (this.comma) this.parts.push(",");
    this.comma = true;
  }

  string(s: string): void {
    this.separate();
    this.parts.push('"');
    let from = 0;
    for (let i = 0; i < s.length; i++) {
      const c = s.charCodeAt(i);
      if (c >= 32 && c != 34 && c != 92) continue;
      this.parts.push(s.substring(from, i));
      if (c < 32) this.parts.push("\\u00" + (c < 16 ? "0" : "1") + "0123456789abcdef".charAt(c & 15));
      else this.parts.push("\\" + s.charAt(i));
      from = i + 1;
    }
    this.parts.push(s.substring(from) + '"');
  }

  number(n: i32): void {
    this.separate();
    this.parts.push(n.toString());
  }

  key(key: string): void {
    this.string(key);
    this.parts.push(":");
    this.comma = false;
  }

  /** A key and a string. */
  member(key: string, value: string): void {
    this.key(key);
    this.string(value);
  }

  open(bracket: string): void {
    this.separate();
    this.parts.push(bracket);
    this.comma = false;
  }

  close(bracket: string): void {
    this.parts.push(bracket);
    this.comma = true;
  }
}
