package words

// A List searches texts for its words, regardless of the surrounding characters. It is faster than a separate
// search for each word. At each position, it compares only words that begin with the byte there. The longer its
// shortest word is, the more positions it skips.
type List struct {
	words    []string    // words that begin with the same byte are adjacent
	from, to [256]uint8  // range in words by first byte
	second   [256]uint64 // by first byte, a set of the low six bits of the second bytes
	shortest int
	// for each byte at a position where the shortest word could end, the distance to the next such position; 0 if a
	// word may end here
	ahead   [256]uint8
	anyCase bool
}

// ListOf returns a list of words. There may be at most 255, none of them empty.
func ListOf(words ...string) *List {
	l := &List{shortest: 255}
	for _, w := range words {
		l.shortest = min(l.shortest, len(w))
	}
	for c := range l.ahead {
		l.ahead[c] = uint8(l.shortest)
	}
	for _, w := range words {
		for i := range l.shortest {
			l.ahead[w[i]] = min(l.ahead[w[i]], uint8(l.shortest-1-i))
		}
	}
	for _, first := range words {
		c := first[0]
		if l.to[c] > 0 {
			continue
		}
		l.from[c] = uint8(len(l.words))
		for _, w := range words {
			if w[0] == c {
				l.words = append(l.words, w)
				if l.second[c] |= 1 << (w[min(1, len(w)-1)] & 63); len(w) == 1 {
					l.second[c] = ^uint64(0)
				}
			}
		}
		l.to[c] = uint8(len(l.words))
	}
	return l
}

// AnyCase makes the list ignore the case of ASCII letters, and returns it. The words must be in lower case.
func (l *List) AnyCase() *List {
	l.anyCase = true
	for c := range l.second {
		l.second[c] |= l.second[c]>>0x20 | l.second[c]<<0x20 // upper and lower case differ in bit 0x20
	}
	for c := 'a'; c <= 'z'; c++ {
		l.from[c-0x20], l.to[c-0x20], l.second[c-0x20], l.ahead[c-0x20] = l.from[c], l.to[c], l.second[c], l.ahead[c]
	}
	return l
}

// near returns the words whose first two bytes may match the beginning of a text.
func (l *List) near(text string) []string {
	if text == "" || l.second[text[0]]>>(text[min(1, len(text)-1)]&63)&1 == 0 {
		return nil
	}
	return l.words[l.from[text[0]]:l.to[text[0]]]
}

// Begin reports whether a text begins with a word in the list.
func (l *List) Begin(text string) bool {
	for _, w := range l.near(text) {
		if len(w) > len(text) || (w[len(w)-1]^text[len(w)-1])&^0x20 != 0 { // bit 0x20 is the case of a letter
			continue
		}
		if w == text[:len(w)] || l.anyCase && Alike(w, text[:len(w)]) {
			return true
		}
	}
	return false
}

// Longest returns the length of the longest word that a text begins with, or 0 if there is none.
func (l *List) Longest(text string) (n int) {
	for _, w := range l.near(text) {
		if len(w) > n && len(w) <= len(text) && (w == text[:len(w)] || l.anyCase && Alike(w, text[:len(w)])) {
			n = len(w)
		}
	}
	return n
}

// Has reports whether a word is in the list.
func (l *List) Has(word string) bool {
	for _, w := range l.near(word) {
		if w == word || l.anyCase && Alike(w, word) {
			return true
		}
	}
	return false
}

// Index returns the index of the first listed word in a text, or -1 if there is none.
func (l *List) Index(text string) int {
	behind := l.shortest - 1
	for end := behind; end < len(text); {
		if ahead := l.ahead[text[end]]; ahead > 0 {
			end += int(ahead)
			continue
		}
		at := end - behind
		if l.second[text[at]]>>(text[min(at+1, len(text)-1)]&63)&1 != 0 && l.Begin(text[at:]) {
			return at
		}
		end++
	}
	return -1
}
