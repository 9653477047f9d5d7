//go:build !release

package app

import (
	"sync"

	"servery/content"
	contents "servery/internal/content"
)

// demoName is what revisions of the demo are listed with.
const demoName = "the demo"

// demo returns the content of the demo brands.
func demo() (from source, ok bool, err error) {
	return source{name: demoName, files: content.Demo()}, true, nil
}

// isDemo reports whether a revision with that source and hash is the demo: by the name that an older
// demo has too, or by the hash when its folder was imported.
func isDemo(name, hash string) bool {
	return name == demoName || hash == demoHash()
}

var demoHash = sync.OnceValue(func() string {
	hash, err := contents.Hash(content.Demo())
	if err != nil {
		panic(err) // it lies within the program
	}
	return hash
})
