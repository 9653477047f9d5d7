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
	// isQuery is set where the parameter is the whole query, whatever it holds.
	isQuery bool
}

// newParameter fails for a parameter that [parameter.check] cannot read.
func newParameter(p *openapi3.Parameter) (parameter, error) {
	types := p.Schema.Value.Type
	isQuery := types.Is("object") && p.In == openapi3.ParameterInQuery
	if !types.Is("string") && !types.Is("integer") && !isQuery {
		return parameter{}, fmt.Errorf("the parameter %s is neither text nor integer", p.Name)
	}
	return parameter{p, types.Is("integer"), isQuery}, nil
}

// checkParameters refuses a path or query that is not what the contract says, or that no
// database can keep. Parameters that the contract does not name are left out, but refused in
// operator calls.
func (o operation) checkParameters(r *http.Request) error {
	for _, p := range o.parameters {
		if p.In != openapi3.ParameterInPath {
			continue
		}
		if err := p.check(r.PathValue(p.Name)); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(o.parameters, func(p parameter) bool { return p.isQuery }) {
		return nil
	}
	return o.checkQuery(r.URL.RawQuery)
}

// checkQuery refuses a query that is not what the contract says; operators' calls may have no other
// parameters than it names.
func (o operation) checkQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return fault.New(fault.Invalid, "common.bad_request", fault.Because(err))
	}
	unnamed := maps.Clone(query)
	for _, p := range o.parameters {
		if p.In != openapi3.ParameterInQuery {
			continue
		}
		if err := p.checkAll(query[p.Name]); err != nil {
			return err
		}
		delete(unnamed, p.Name)
	}
	for name, values := range unnamed {
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

// checkAll refuses what a query says of a parameter.
func (p parameter) checkAll(values []string) error {
	switch len(values) {
	case 0:
		if p.Required {
			return fault.New(fault.Invalid, "common.invalid", fault.Field(p.Name, "common.required"))
		}
		return nil
	case 1:
		return p.check(values[0])
	}
	return fault.New(fault.Invalid, "common.invalid", fault.Field(p.Name, "common.not_allowed"))
}

// check refuses a value that the contract forbids.
func (p parameter) check(text string) error {
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
		return invalid(p.Name, err)
	}
	return nil
}

// isText reports whether every database can keep the text.
func isText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
