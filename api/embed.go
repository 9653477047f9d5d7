// Package api holds the contract, so that the program can check requests against it.
package api

import _ "embed"

// Contract is the text of openapi.yaml.
//
//go:embed openapi.yaml
var Contract []byte
