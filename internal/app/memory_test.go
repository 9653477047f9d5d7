package app

import (
	"testing"

	"servery/content"
	contents "servery/internal/content"
)

func TestDropFilePages_losesNothing(t *testing.T) {
	t.Parallel()
	before, err := contents.Hash(content.Demo())
	if err != nil {
		t.Fatal(err)
	}
	if err := dropFilePages(); err != nil {
		t.Fatal(err)
	}
	if after, err := contents.Hash(content.Demo()); err != nil || after != before {
		t.Errorf("the demo was %s and is %s, %v", before, after, err)
	}
}
