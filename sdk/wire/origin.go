package wire

import (
	"strconv"
	"strings"
)

// origin checks the plugin's claims about its source, license and supported tools.
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

// spdx lists the characters that an SPDX expression may contain.
const spdx = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+() "

// address reports an address that people cannot or should not open in a browser.
func (v *validation) address(where, address string) {
	if address == "" {
		return
	}
	rest, secure := strings.CutPrefix(address, "https://")
	plain := strings.IndexFunc(rest, func(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '<' }) < 0
	if !secure || rest == "" || !plain || len(address) > MaxAddress {
		v.fault(where, "found "+shown(address)+", expected an https:// address of at most "+
			strconv.Itoa(MaxAddress)+" bytes")
	}
}
