//! Reading and writing JSON (RFC 8259).

/// The maximum depth, because reading recurses.
const DEPTH: usize = 128;

pub enum Json {
    Null,
    Bool,
    Number(String), // as it is written
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the value in a text, or None if the text is invalid.
    pub fn read(text: &str) -> Option<Json> {
        let mut r = Reader { text: text.as_bytes(), at: 0 };
        let value = r.value(0)?;
        r.space();
        (r.at == r.text.len()).then_some(value)
    }

    /// Returns a property (the last one of that name), or Null if there is none.
    pub fn get(&self, key: &str) -> &Json {
        match self {
            Json::Object(members) => members.iter().rev().find(|m| m.0 == key).map_or(&Json::Null, |m| &m.1),
            _ => &Json::Null,
        }
    }

    /// Returns a string, or "" for any other value.
    pub fn text(&self) -> &str {
        match self {
            Json::Text(t) => t,
            _ => "",
        }
    }

    /// Returns an integer, or 0 for any other value.
    pub fn size(&self) -> usize {
        match self {
            Json::Number(n) => n.parse().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns an array's elements, or none for any other value.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::Array(items) => items,
            _ => &[],
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &[u8]) -> bool {
        let here = self.text[self.at..].starts_with(word);
        if here {
            self.at += word.len();
        }
        here
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.space();
        match self.peek()? {
            _ if depth == DEPTH => None,
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Json::Text),
            b't' => self.take(b"true").then_some(Json::Bool),
            b'f' => self.take(b"false").then_some(Json::Bool),
            b'n' => self.take(b"null").then_some(Json::Null),
            _ => self.number(),
        }
    }

    fn array(&mut self, depth: usize) -> Option<Json> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b"]") {
            return Some(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if !self.take(b",") {
                break;
            }
        }
        self.take(b"]").then_some(Json::Array(items))
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b"}") {
            return Some(Json::Object(members));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            if !self.take(b":") {
                return None;
            }
            members.push((key, self.value(depth + 1)?));
            self.space();
            if !self.take(b",") {
                break;
            }
        }
        self.take(b"}").then_some(Json::Object(members))
    }

    fn digits(&mut self) -> Option<()> {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        (self.at > from).then_some(())
    }

    fn number(&mut self) -> Option<Json> {
        let from = self.at;
        self.take(b"-");
        if !self.take(b"0") {
            self.digits()?;
        }
        if self.take(b".") {
            self.digits()?;
        }
        if self.take(b"e") || self.take(b"E") {
            let _ = self.take(b"+") || self.take(b"-");
            self.digits()?;
        }
        String::from_utf8(self.text[from..self.at].to_vec()).ok().map(Json::Number)
    }

    fn string(&mut self) -> Option<String> {
        if !self.take(b"\"") {
            return None;
        }
        let mut out = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(out).ok(),
                b'\\' => {
                    let c = self.escape()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return None,
                _ => out.push(byte),
            }
        }
    }

    /// Reads the rest of an escape sequence.
    fn escape(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => byte as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return None,
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.hex4()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high); // None for the second half of a pair
        }
        if !self.take(b"\\u") {
            return None;
        }
        let low = self.hex4()?;
        if !(0xdc00..0xe000).contains(&low) {
            return None;
        }
        char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
    }

    fn hex4(&mut self) -> Option<u32> {
        let mut n = 0;
        for _ in 0..4 {
            n = n * 16 + (self.peek()? as char).to_digit(16)?;
            self.at += 1;
        }
        Some(n)
    }
}

/// Writes JSON, and adds commas automatically.
#[derive(Default)]
pub struct Writer {
    pub out: String,
    comma: bool,
}

impl Writer {
    fn separate(&mut self) {
        if self.comma {
            self.out.push(',');
        }
        self.comma = true;
    }

    pub fn string(&mut self, text: &str) {
        self.separate();
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.out.extend(['\\', c]),
                '\0'..='\u{1f}' => {
                    self.out.push_str("\\u00");
                    self.out.push(if c >= '\u{10}' { '1' } else { '0' });
                    self.out.push(char::from_digit(c as u32 & 15, 16).unwrap_or('0'));
                }
                _ => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    pub fn number(&mut self, n: usize) {
        self.separate();
        self.out.push_str(&n.to_string());
    }

    pub fn key(&mut self, key: &str) {
        self.string(key);
        self.out.push(':');
        self.comma = false;
    }

    /// A key and a string.
    pub fn member(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    /// Writes what body writes between brackets, "{}" or "[]".
    pub fn within(&mut self, brackets: &str, body: impl FnOnce(&mut Writer)) {
        self.separate();
        self.out.push_str(&brackets[..1]);
        self.comma = false;
        body(self);
        self.out.push_str(&brackets[1..]);
        self.comma = true;
    }
}
