package archive

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// The JSON of each kind of value is that which archives have: what was stored before must still be read.
func TestDocument_hasTheFormThatIsStored(t *testing.T) {
	t.Parallel()
	d := document{"orders": {{
		"flag": {true}, "id": {int64(9_007_199_254_740_993)}, "none": {nil}, "phone": {"7916"}, "raw": {[]byte{0xff, 0}},
		"text": {[]byte(`{"a":1}`)}, "at": {time.Date(2026, 11, 20, 18, 0, 0, 123_000, time.UTC)},
	}}}
	const stored = `{"orders":[{"at":{"t":"2026-11-20T18:00:00.000123Z"},"flag":true,"id":9007199254740993,"none":null,` +
		`"phone":"7916","raw":{"b":"/wA="},"text":{"s":"{\"a\":1}"}}]}`
	if body, err := json.Marshal(d); err != nil || string(body) != stored {
		t.Errorf("stored as %s, %v", body, err)
	}
	packed, err := d.pack()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := unpack(packed); err != nil || !reflect.DeepEqual(back, d) {
		t.Errorf("read as %v, %v", back, err)
	}
	if _, err := unpack(packed[:len(packed)-6]); err == nil {
		t.Error("a document that is cut off is read")
	}
}
