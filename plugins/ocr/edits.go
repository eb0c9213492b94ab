package ocr

import (
	"strconv"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// phaseEdits is Phase(p) of the specification: they make p the claimed phase
// of workflow k, with its number and the time of applying.
func phaseEdits(k Kind, p string) []sdk.Edit {
	return []sdk.Edit{setText("current_phase", p), setInt("phase_number", k.Index(p)), setNow(UpdatedAt)}
}

// statusEdits set the status and, as every change of it must, the time.
func statusEdits(status string) []sdk.Edit {
	return []sdk.Edit{setText("status", status), setNow(UpdatedAt)}
}

// setText sets a field of state.json to a string.
func setText(key, value string) sdk.Edit {
	return sdk.Set(StatePath, Pointer(key), jsondoc.Quote(value))
}

// setInt sets a field of state.json to a number.
func setInt(key string, value int) sdk.Edit {
	return sdk.Set(StatePath, Pointer(key), strconv.Itoa(value))
}

// setNow sets a field of state.json to the time of applying.
func setNow(key string) sdk.Edit {
	return sdk.Set(StatePath, Pointer(key), `"`+sdk.NowInEdit+`"`)
}
