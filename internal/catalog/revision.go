package catalog

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Format is the number of the format in which a [Document] is stored. It goes up when a program
// that reads the format before would read the document wrongly; a field that may be absent is no
// reason. All formats from oldestFormat on are read: internal/content/testdata has a revision of
// each.
const Format = 1

// oldestFormat is the oldest format that is read.
const oldestFormat = 1

// Revision is a revision as it is stored.
type Revision struct {
	ID     int64
	Format int64
	// Source is the folder that it was imported from; empty where that was not stored.
	Source string
	// Body is the document: gzip of JSON.
	Body []byte
}

// Document returns the document of the revision. When this program cannot read it, the error says
// what to import.
func (r Revision) Document() (*Document, error) {
	switch {
	case r.Format > Format:
		return nil, fmt.Errorf("it has format %d of a newer program and this one reads up to %d: start the newer program, or %s",
			r.Format, Format, r.importHint())
	case r.Format < oldestFormat:
		return nil, fmt.Errorf("it has format %d of an older program and this one reads from %d: %s", r.Format, oldestFormat, r.importHint())
	}
	d, err := decodeDocument(r.Body)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read (%w): %s", err, r.importHint())
	}
	return d, nil
}

// Check returns an error when the revision cannot be put on sale at now.
func (r Revision) Check(now time.Time) error {
	_, err := r.loadContent(now)
	return err
}

// loadContent reads the revision and returns its content with references resolved. Opening hours
// named "today" are those of the date of now. The error says what to import when the revision
// cannot be read or sold.
func (r Revision) loadContent(now time.Time) (*content, error) {
	d, err := r.Document()
	if err != nil {
		return nil, fmt.Errorf("revision %d: %w", r.ID, err)
	}
	joined, err := resolveContent(d, now)
	if err != nil {
		return nil, fmt.Errorf("revision %d: it cannot be sold (%w): %s", r.ID, err, r.importHint())
	}
	return joined, nil
}

// importHint returns the command that imports the content of the revision again, in this program's
// format.
func (r Revision) importHint() string {
	return "import its folder again with: servery import " + cmp.Or(r.Source, "DIR")
}

// decodeDocument reads the document of a revision: gzip of JSON.
func decodeDocument(packed []byte) (*Document, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	var d Document
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, err
	}
	return &d, nil
}
