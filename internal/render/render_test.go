package render_test

import (
	"strings"
	"sync"
	"testing"

	"servery/internal/render"
)

func TestRenderPage_returnsTheAnswerOfTheScript(t *testing.T) {
	t.Parallel()
	r := render.New(`globalThis.renderPage = (json) => "<h1>" + JSON.parse(json).title + "</h1>"`)
	html, err := r.RenderPage(t.Context(), []byte(`{"title":"Суши ёж"}`))
	if err != nil || html != "<h1>Суши ёж</h1>" {
		t.Fatalf("got %q, %v", html, err)
	}
}

func TestRenderPage_keepsNothingOfAnotherPage(t *testing.T) {
	t.Parallel()
	r := render.New(`let n = 0; globalThis.renderPage = () => String(++n)`)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if html, err := r.RenderPage(t.Context(), []byte(`{}`)); err != nil || html != "1" {
				t.Errorf("got %q, %v", html, err)
			}
		})
	}
	wait.Wait()
}

func TestRenderPage_returnsAFaultOfTheScript(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"syntax":     `function (`,
		"thrown":     `globalThis.renderPage = () => { throw new Error("no plate") }`,
		"not a text": `globalThis.renderPage = () => 7`,
		"missing":    `1`,
	} {
		if _, err := render.New(script).RenderPage(t.Context(), []byte(`{}`)); err == nil {
			t.Errorf("%s: no error", name)
		} else if name == "thrown" && !strings.Contains(err.Error(), "no plate") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
