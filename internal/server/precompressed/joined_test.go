package precompressed_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"servery/internal/server/precompressed"
)

// unpack returns the plain bytes of an answer.
func unpack(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	var r io.Reader = w.Body
	switch w.Header().Get("Content-Encoding") {
	case "br":
		r = brotli.NewReader(r)
	case "gzip":
		unzipped, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		unzipped.Multistream(false) // browsers read one member
		r = unzipped
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := io.ReadAll(w.Body); len(left) > 0 {
		t.Errorf("%d bytes follow the stream", len(left))
	}
	return plain
}

// objectBody returns a body made of an object that is larger than a block of any encoding.
func objectBody(t *testing.T) *precompressed.Body {
	t.Helper()
	object := `{"product_groups":["` + strings.Repeat("Калифорния, Филадельфия, ", 10_000) + `"],"popular_products":[]}`
	b, err := precompressed.CompressObject([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestJoined_hasTheFieldsOfBothInEachEncoding(t *testing.T) {
	t.Parallel()
	b := objectBody(t)
	for _, encoding := range []string{"br", "gzip", ""} {
		// The lengths at which a block of an encoding ends, and around them.
		for _, length := range []int{0, 1, 1<<16 - 12, 1<<16 - 11, 1<<16 - 10, 1<<16 - 9, 1 << 16, 1<<17 + 5} {
			t.Run(encoding+strconv.Itoa(length), func(t *testing.T) {
				t.Parallel()
				r := httptest.NewRequest(http.MethodPost, "/", nil)
				r.Header.Set("Accept-Encoding", encoding)
				w := httptest.NewRecorder()
				fields := map[string]string{"shop": strings.Repeat("x", length)}
				if err := (precompressed.Joined{Body: b, Fields: fields, Request: r}).Send(w); err != nil {
					t.Fatal(err)
				}
				if got := w.Header().Get("Content-Encoding"); got != encoding {
					t.Fatalf("Content-Encoding %q", got)
				}
				if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
					t.Errorf("Content-Length %s of %d bytes", got, w.Body.Len())
				}
				var got, menu map[string]json.RawMessage
				if err := json.Unmarshal(unpack(t, w), &got); err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(b.Identity, &menu); err != nil {
					t.Fatal(err)
				}
				if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"popular_products", "product_groups", "shop"}) {
					t.Errorf("fields %v", names)
				}
				for name, value := range menu {
					if !bytes.Equal(got[name], value) {
						t.Errorf("%s differs", name)
					}
				}
				if want, _ := json.Marshal(fields["shop"]); !bytes.Equal(got["shop"], want) {
					t.Errorf("shop has %d bytes, not %d", len(got["shop"]), len(want))
				}
			})
		}
	}
}

func TestCompressObject_isReadAsTheObject(t *testing.T) {
	t.Parallel()
	b := objectBody(t)
	whole, err := precompressed.Compress(b.Identity)
	if err != nil {
		t.Fatal(err)
	}
	if b.ETag != whole.ETag {
		t.Errorf("ETag %s, that of the bytes is %s", b.ETag, whole.ETag)
	}
	for _, encoding := range []string{"br", "gzip", ""} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		if err := (precompressed.Answer{Body: b, Request: r, ContentType: "application/json", Status: http.StatusOK}).Send(w); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(unpack(t, w), b.Identity) {
			t.Errorf("%q: other bytes", encoding)
		}
	}
}

func TestCompressObject_refusesWhatIsNoObject(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", "{}", `"}`} {
		if _, err := precompressed.CompressObject([]byte(text)); err == nil {
			t.Errorf("%q was compressed", text)
		}
	}
}
