package provider

import "errors"

// Read reads the file of providers.
func Read(name string, known []string) (Book, error) {
	return nil, errors.New("not yet")
}
