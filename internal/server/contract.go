package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/api"
	"servery/internal/fault"
)

// contract holds what the contract says of each call's body, by the pattern under
// which the call is routed.
type contract map[string]bodyRule

// bodyRule is what the contract says of a body.
type bodyRule struct {
	schema *openapi3.Schema
	// required says that there has to be one.
	required bool
}

// readContract reads the contract once for the whole program: it is the same for everybody,
// and nobody changes it.
var readContract = sync.OnceValues(func() (contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(api.Contract)
	if err != nil {
		return nil, fmt.Errorf("read contract: %w", err)
	}
	bodies := contract{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody == nil {
				continue
			}
			if media := op.RequestBody.Value.Content.Get("application/json"); media != nil {
				bodies[method+" "+apiRoot+path] = bodyRule{media.Schema.Value, op.RequestBody.Value.Required}
			}
		}
	}
	return bodies, nil
})

// check refuses a body that is not what the contract says, naming each field at
// fault, before any area sees it.
func (s *Server) check(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rule, found := s.contract[r.Pattern]
		if !found {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			s.problem(w, r, badBody(err))
			return
		}
		if len(body) > 0 || rule.required {
			if err := matches(rule.schema, body); err != nil {
				s.problem(w, r, err)
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func matches(schema *openapi3.Schema, body []byte) error {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return fault.New(fault.Invalid, "common.bad_request", fault.Because(err))
	}
	if field, found := unkeepable(value); found {
		return fault.New(fault.Invalid, "common.invalid", fault.Field(field, "common.not_allowed"))
	}
	err := schema.VisitJSON(value, openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	opts := []fault.Option{fault.Because(err)}
	for _, e := range schemaErrors(err) {
		opts = append(opts, fieldFault(e))
	}
	return fault.New(fault.Invalid, "common.invalid", opts...)
}

// unkeepable finds a text with a zero byte in it, which PostgreSQL cannot keep and
// nobody types, and gives the path of its field.
func unkeepable(value any) (field string, found bool) {
	within := func(name string, inner any) bool {
		var below string
		if below, found = unkeepable(inner); found {
			field = strings.TrimSuffix(name+"."+below, ".")
		}
		return found
	}
	switch v := value.(type) {
	case string:
		return "", strings.ContainsRune(v, 0)
	case map[string]any:
		for name, inner := range v {
			if within(name, inner) {
				break
			}
		}
	case []any:
		for i, inner := range v {
			if within(strconv.Itoa(i), inner) {
				break
			}
		}
	}
	return field, found
}

// schemaErrors flattens what kin-openapi nests: several faults, and the parts of an
// allOf inside each.
func schemaErrors(err error) []*openapi3.SchemaError {
	var several openapi3.MultiError
	if errors.As(err, &several) {
		var all []*openapi3.SchemaError
		for _, e := range several {
			all = append(all, schemaErrors(e)...)
		}
		return all
	}
	var one *openapi3.SchemaError
	if !errors.As(err, &one) {
		return nil
	}
	if one.Origin != nil {
		if inner := schemaErrors(one.Origin); len(inner) > 0 {
			return inner
		}
	}
	return []*openapi3.SchemaError{one}
}

func fieldFault(e *openapi3.SchemaError) fault.Option {
	field := strings.Join(e.JSONPointer(), ".")
	switch e.SchemaField {
	case "required":
		return fault.Field(field, "common.required")
	case "maxLength":
		return fault.Field(field, "common.too_long", fault.Args{"max": *e.Schema.MaxLength})
	case "minimum", "maximum":
		if e.Schema.Min != nil && e.Schema.Max != nil {
			return fault.Field(field, "common.out_of_range", fault.Args{"min": *e.Schema.Min, "max": *e.Schema.Max})
		}
	}
	return fault.Field(field, "common.not_allowed")
}
