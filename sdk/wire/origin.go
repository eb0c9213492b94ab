package wire

import (
	"strconv"
	"strings"
)

// origin checks what the plugin says of where it comes from.
func (v *validation) origin(m *Manifest) {
	if len(m.License) > MaxName || strings.Trim(m.License, spdx) != "" {
		v.fault("license", "found "+shown(m.License)+", expected an SPDX expression such as \"MIT\", of at most "+
			strconv.Itoa(MaxName)+" bytes")
	}
	v.address("source", m.Source)
	v.address("homepage", m.Homepage)
	v.most("made_for", len(m.MadeFor), MaxMadeFor)
	for i, f := range m.MadeFor {
		if f.Tool == "" {
			v.fault(at("made_for", i)+".tool", "is empty, expected the name of a tool")
		}
		v.most(at("made_for", i)+": bytes", max(len(f.Tool), len(f.Versions)), MaxName)
	}
}

// spdx are the characters of an SPDX expression.
const spdx = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+() "

// address refuses what people cannot open in a browser, or should not.
func (v *validation) address(where, address string) {
	if address == "" {
		return
	}
	rest, secure := strings.CutPrefix(address, "https://")
	plain := strings.IndexFunc(rest, func(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '<' }) < 0
	if !secure || rest == "" || !plain || len(address) > MaxAddress {
		v.fault(where, "found "+shown(address)+", expected an address that begins with https://, of at most "+
			strconv.Itoa(MaxAddress)+" bytes")
	}
}
