package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/api"
	"servery/internal/fault"
	"servery/internal/server/request"
)

// contract is what the contract says of each call, by the pattern under which it is routed.
type contract map[string]operation

// operation is what the contract says of one call.
type operation struct {
	parameters []parameter
	// body is the schema of a JSON body, nil for a call without one.
	body         *openapi3.Schema
	bodyRequired bool
	// isOperators is set where other programs call: what they misspell is refused, not left out. rule
	// says what such a call needs.
	isOperators bool
	rule        operatorRule
}

// readContract reads the contract once for the whole program: it is the same for everybody
// and never changes.
var readContract = sync.OnceValues(func() (contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(api.Contract)
	if err != nil {
		return nil, fmt.Errorf("read contract: %w", err)
	}
	operations := contract{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			o := operation{isOperators: strings.HasPrefix(path, operatorRoot)}
			for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
				p, err := newParameter(ref.Value)
				if err != nil {
					return nil, fmt.Errorf("read contract: %s %s: %w", method, path, err)
				}
				o.parameters = append(o.parameters, p)
			}
			if o.isOperators {
				if o.rule, err = readRule(op); err != nil {
					return nil, fmt.Errorf("read contract: %s %s: %w", method, path, err)
				}
			}
			if op.RequestBody != nil {
				if media := op.RequestBody.Value.Content.Get("application/json"); media != nil {
					o.body, o.bodyRequired = media.Schema.Value, op.RequestBody.Value.Required
				}
			}
			operations[method+" "+apiRoot+path] = o
		}
	}
	return operations, nil
})

// contractRouter routes calls of the contract. What the contract forbids is refused before a
// handler sees it.
type contractRouter struct {
	*router

	server *Server
}

// HandleFunc routes a pattern to a handler behind the checks of the contract.
func (r contractRouter) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	checked := r.server.checkContract(pattern, handler)
	if strings.HasSuffix(pattern, apiRoot+"/products") {
		checked = r.server.sendKnownMenu(checked)
	}
	r.router.HandleFunc(pattern, checked)
}

// sendKnownMenu returns a handler that answers a call of the menu that was answered before, and leaves any other
// to the next handler.
func (s *Server) sendKnownMenu(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := readBody(r)
		if err != nil {
			s.writeProblem(w, r, err)
			return
		}
		if !s.calls.SendKnownMenu(w, r, body) {
			next(w, r)
		}
	}
}

// readBody returns the body, or the fault of one that cannot be read. The request's body can be read again
// afterwards.
func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, request.BadBody(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// checkContract returns the handler of a call behind the checks of the contract: the right of an operator's
// call, parameters, body, and the scope. A refusal names each field at fault. A pattern that is not in the
// contract has no checks.
func (s *Server) checkContract(pattern string, next http.HandlerFunc) http.HandlerFunc {
	o, found := s.contract[pattern]
	if !found {
		return next
	}
	checked := func(w http.ResponseWriter, r *http.Request) {
		if err := o.checkParameters(r); err != nil {
			s.writeProblem(w, r, err)
			return
		}
		body, err := o.checkBody(r)
		if err != nil {
			s.writeProblem(w, r, err)
			return
		}
		if o.isOperators {
			if err := s.checkScope(r, o.rule.within, body); err != nil {
				s.writeProblem(w, r, err)
				return
			}
			if r, err = withActor(r, o, body); err != nil {
				s.writeProblem(w, r, err)
				return
			}
		}
		next(w, r)
	}
	if o.isOperators {
		return s.operatorOnly(o.rule.right, checked)
	}
	return checked
}

// checkBody returns the decoded body, nil when there is none, or the fault of a body that the contract
// forbids. The request's body can be read again afterwards.
func (o operation) checkBody(r *http.Request) (value any, err error) {
	if o.body == nil {
		return nil, nil
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	request.From(r.Context()).Body = body
	if len(body) > 0 || o.bodyRequired {
		if err := json.Unmarshal(body, &value); err != nil {
			return nil, fault.New(fault.Invalid, "common.bad_request", fault.Because(err))
		}
		if err := checkBySchema(o.body, value); err != nil {
			return nil, err
		}
	}
	return value, nil
}

// checkBySchema returns the fault of a body that the schema forbids, that a database cannot store or whose
// fields are misspelt; nil for an allowed body.
func checkBySchema(schema *openapi3.Schema, value any) error {
	if field, found := findUnreadable(value); found {
		return fault.New(fault.Invalid, "common.invalid", fault.Field(field, "common.unreadable"))
	}
	if faults := misspeltFields(schema, value, wholeBody); len(faults) > 0 {
		return fault.New(fault.Invalid, "common.invalid", faults...)
	}
	err := schema.VisitJSON(value, openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	return schemaFault(wholeBody, err)
}

// wholeBody is the path of a body, in place of one of its fields.
const wholeBody = ""

// fieldPath returns the path of a field of the object at the path.
func fieldPath(object, name string) string {
	if object == wholeBody {
		return name
	}
	return object + "." + name
}

// misspeltFields returns the faults of fields at the path and below that differ from a field of the schema
// only in the case of letters. The JSON decoder would accept them as that field, unchecked.
func misspeltFields(schema *openapi3.Schema, value any, path string) []fault.Option {
	var faults []fault.Option
	checkInner := func(schema *openapi3.SchemaRef, name string, inner any) {
		if schema != nil {
			faults = append(faults, misspeltFields(schema.Value, inner, fieldPath(path, name))...)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		named := fieldsOf(schema)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if named[name] != nil {
				checkInner(named[name], name, v[name])
				continue
			}
			for known := range named {
				if strings.EqualFold(known, name) {
					field := unknownField{path: fieldPath(path, name), meant: known}
					faults = append(faults, field.fault())
				}
			}
		}
	case []any:
		for i, item := range v {
			checkInner(schema.Items, strconv.Itoa(i), item)
		}
	}
	return faults
}

// fieldsOf returns the fields of a schema, including those of the schemas that it is composed
// of. They must not be changed.
func fieldsOf(schema *openapi3.Schema) map[string]*openapi3.SchemaRef {
	if len(schema.AllOf)+len(schema.OneOf)+len(schema.AnyOf) == 0 {
		return schema.Properties
	}
	fields := map[string]*openapi3.SchemaRef{}
	maps.Copy(fields, schema.Properties)
	for _, part := range slices.Concat(schema.AllOf, schema.OneOf, schema.AnyOf) {
		maps.Copy(fields, fieldsOf(part.Value))
	}
	return fields
}

// schemaFault returns the fault of a value that its schema forbids, with a reason for each field. err is
// the error of the check. parameter is the name of the checked parameter, or [wholeBody].
func schemaFault(parameter string, err error) error {
	opts := []fault.Option{fault.Because(err)}
	reported := map[string]bool{}
	for _, e := range schemaErrors(err) {
		path := strings.TrimPrefix(parameter+"."+strings.Join(e.JSONPointer(), "."), ".")
		path = strings.TrimSuffix(path, ".")
		if e.SchemaField != "properties" { // which stands for fields that the schema does not name
			opts = append(opts, fieldFault(path, e))
			continue
		}
		for _, field := range unknownFields(path, e) {
			if !reported[field.path] { // each part of an allOf reports it
				opts = append(opts, field.fault())
			}
			reported[field.path] = true
		}
	}
	return fault.New(fault.Invalid, "common.invalid", opts...)
}

// unknownField is a field of a body that the contract does not name.
type unknownField struct {
	path string
	// meant is the field of the contract that differs only in the case of letters; empty for none.
	meant string
}

// unknownFields returns the fields of an object that are not in its schema, each with the field of the
// schema that differs from it only in upper and lower case, if there is one.
func unknownFields(path string, e *openapi3.SchemaError) []unknownField {
	object, _ := e.Value.(map[string]any)
	var unknown []unknownField
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if e.Schema.Properties[name] != nil {
			continue
		}
		field := unknownField{path: fieldPath(path, name)}
		for known := range e.Schema.Properties {
			if strings.EqualFold(known, name) {
				field.meant = known
			}
		}
		unknown = append(unknown, field)
	}
	return unknown
}

// fault returns the fault of the field: misspelt when another field was probably meant, else unknown.
func (f unknownField) fault() fault.Option {
	if f.meant != "" {
		return fault.Field(f.path, "common.misspelt_field", fault.Args{"field": f.meant})
	}
	return fault.Field(f.path, "common.unknown_field")
}

// findUnreadable returns the path of a field whose text has control characters other than line breaks and tabs. found
// is false when there is no such field. PostgreSQL cannot store a zero byte, and printers take others as commands.
func findUnreadable(value any) (field string, found bool) {
	switch v := value.(type) {
	case string:
		return wholeBody, strings.ContainsFunc(v, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) })
	case map[string]any:
		for name, inner := range v {
			if below, found := findUnreadable(inner); found {
				return strings.TrimSuffix(name+"."+below, "."), true
			}
		}
	case []any:
		for i, inner := range v {
			if below, found := findUnreadable(inner); found {
				return strings.TrimSuffix(strconv.Itoa(i)+"."+below, "."), true
			}
		}
	}
	return "", false
}

// schemaErrors returns the errors of single values in err, which kin-openapi nests: a MultiError holds
// several errors, and the error of an allOf has those of its parts as its Origin.
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

// fieldFault returns the reason why a schema forbids the value at the path.
func fieldFault(path string, e *openapi3.SchemaError) fault.Option {
	switch e.SchemaField {
	case "required":
		return fault.Field(path, "common.required")
	case "maxLength":
		return fault.Field(path, "common.too_long", fault.Args{"max": *e.Schema.MaxLength})
	case "minimum", "maximum":
		if e.Schema.Min != nil && e.Schema.Max != nil {
			return fault.Field(path, "common.out_of_range", fault.Args{"min": *e.Schema.Min, "max": *e.Schema.Max})
		}
	}
	return fault.Field(path, "common.not_allowed")
}
