package server

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/internal/fault"
)

// parameter is a part of a call's path or query. Headers are held to the contract where they
// are read.
type parameter struct {
	*openapi3.Parameter

	isInteger bool
	// isWholeQuery is set where the parameter is the whole query, whatever it holds.
	isWholeQuery bool
}

// newParameter returns a parameter of the contract. It fails for a type that
// [parameter.checkValue] cannot read.
func newParameter(p *openapi3.Parameter) (parameter, error) {
	types := p.Schema.Value.Type
	isWholeQuery := types.Is("object") && p.In == openapi3.ParameterInQuery
	if !types.Is("string") && !types.Is("integer") && !isWholeQuery {
		return parameter{}, fmt.Errorf("the parameter %s is neither text, an integer nor the whole query", p.Name)
	}
	return parameter{p, types.Is("integer"), isWholeQuery}, nil
}

// checkParameters returns the fault of a path or query that the contract forbids or a database
// cannot store. Parameters that are not in the contract are ignored, but refused in the
// operator's calls.
func (o operation) checkParameters(r *http.Request) error {
	for _, p := range o.parameters {
		if p.In != openapi3.ParameterInPath {
			continue
		}
		if err := p.checkValue(r.PathValue(p.Name)); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(o.parameters, func(p parameter) bool { return p.isWholeQuery }) {
		return nil // the whole query is one parameter, whatever it holds
	}
	return o.checkQuery(r.URL.RawQuery)
}

// checkQuery returns the fault of a query that the contract forbids or a database cannot store. In an
// operator's call it refuses parameters that are not in the contract.
func (o operation) checkQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return fault.New(fault.Invalid, "common.bad_request", fault.Because(err))
	}
	unknown := maps.Clone(query)
	for _, p := range o.parameters {
		if p.In != openapi3.ParameterInQuery {
			continue
		}
		if err := p.checkValues(query[p.Name]); err != nil {
			return err
		}
		delete(unknown, p.Name)
	}
	for name, values := range unknown {
		switch {
		case !isText(name):
			return fault.New(fault.Invalid, "common.bad_request")
		case o.isOperators:
			return fault.New(fault.Invalid, "common.invalid", fault.Field(name, "common.unknown_field"))
		case !isText(strings.Join(values, "")):
			return fault.New(fault.Invalid, "common.invalid", fault.Field(name, "common.not_allowed"))
		}
	}
	return nil
}

// checkValues returns the fault of a query parameter that is missing, occurs twice or is
// forbidden.
func (p parameter) checkValues(values []string) error {
	switch len(values) {
	case 0:
		if p.Required {
			return fault.New(fault.Invalid, "common.invalid", fault.Field(p.Name, "common.required"))
		}
		return nil
	case 1:
		return p.checkValue(values[0])
	}
	return fault.New(fault.Invalid, "common.invalid", fault.Field(p.Name, "common.not_allowed"))
}

// checkValue returns the fault of a value that the contract forbids.
func (p parameter) checkValue(text string) error {
	refused := fault.New(fault.Invalid, "common.invalid", fault.Field(p.Name, "common.not_allowed"))
	if !isText(text) {
		return refused
	}
	var value any = text
	if p.isInteger {
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return refused
		}
		value = number
	}
	if err := p.Schema.Value.VisitJSON(value, openapi3.MultiErrors()); err != nil {
		return schemaFault(p.Name, err)
	}
	return nil
}

// isText reports whether every database can store the text.
func isText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
