package archive

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// record is a row of a table, by column: int64, string, []byte, bool, [time.Time] or nil.
type record map[string]value

// document is all rows of an order, by table.
type document map[string][]record

// value is what a column has. Its JSON is the same for both engines.
type value struct{ any }

// typed is the JSON of a value that JSON has no type for.
type typed struct {
	// Time is an instant, Text are bytes that are valid UTF-8, Bytes any others in base64.
	Time  *time.Time `json:"t,omitempty"`
	Text  *string    `json:"s,omitempty"`
	Bytes *string    `json:"b,omitempty"`
}

// MarshalJSON returns the value as JSON. It returns an error for a type that no column has.
func (v value) MarshalJSON() ([]byte, error) {
	switch of := v.any.(type) {
	case nil, int64, bool, string:
		return json.Marshal(of)
	case time.Time:
		at := of.UTC()
		return json.Marshal(typed{Time: &at})
	case []byte:
		text := string(of)
		if utf8.ValidString(text) {
			return json.Marshal(typed{Text: &text})
		}
		text = base64.StdEncoding.EncodeToString(of)
		return json.Marshal(typed{Bytes: &text})
	}
	return nil, fmt.Errorf("a column of type %T cannot be archived", v.any)
}

// UnmarshalJSON reads what MarshalJSON returns.
func (v *value) UnmarshalJSON(body []byte) error {
	if body[0] != '{' {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&v.any); err != nil {
			return err
		}
		number, isNumber := v.any.(json.Number)
		if !isNumber {
			return nil
		}
		n, err := number.Int64()
		v.any = n
		return err
	}
	var of typed
	if err := json.Unmarshal(body, &of); err != nil {
		return err
	}
	switch {
	case of.Time != nil:
		v.any = *of.Time
	case of.Text != nil:
		v.any = []byte(*of.Text)
	case of.Bytes != nil:
		decoded, err := base64.StdEncoding.DecodeString(*of.Bytes)
		v.any = decoded
		return err
	default:
		return errors.New("a value of an archived order has no type")
	}
	return nil
}

// pack returns the document as it is stored.
func (d document) pack() ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(json.NewEncoder(w).Encode(d), w.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// unpack reads a stored document.
func unpack(body []byte) (document, error) {
	var d document
	r := flate.NewReader(bytes.NewReader(body))
	if err := errors.Join(json.NewDecoder(r).Decode(&d), drain(r)); err != nil {
		return nil, err
	}
	return d, nil
}

// drain reads the rest, so that a document that was cut off is an error.
func drain(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}
