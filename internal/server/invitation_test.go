package server_test

import (
	"encoding/base64"
	"image/color"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"

	"servery/internal/access"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/staff"
)

func TestInvitationPage_isStoredNowhereAndRunsOnlyOurOwnScript(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		for language, heading := range map[string]string{"ru": "Настройка входа для сотрудника", "en": "Set up your staff account"} {
			a := b.call("GET", staff.InvitationPath, nil, "Cookie", "language="+language)
			if a.status != http.StatusOK || !strings.Contains(a.text, "<h1>"+heading+"</h1>") {
				t.Fatalf("%s: %d, %s", language, a.status, a.text)
			}
			for name, want := range map[string]string{
				"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
				"X-Robots-Tag": "noindex", "X-Content-Type-Options": "nosniff",
			} {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s: %s is %q", language, name, got)
				}
			}
			if policy := a.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'self'; img-src 'self' data:") || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: the policy is %q", language, policy)
			}
			for _, want := range []string{`<script type="module" src="/assets/staff-invitation-1.js"></script>`, `<link rel="stylesheet" href="/assets/staff-invitation-1.css">`} {
				if !strings.Contains(a.text, want) {
					t.Errorf("%s: no %s in %s", language, want, a.text)
				}
			}
			if regexp.MustCompile(`<script[^>]*>[^<]|<style| style=| on\w+=`).MatchString(a.text) {
				t.Errorf("%s: a script or style is inline: %s", language, a.text)
			}
		}
	})
}

func TestInvitation_hasTheQRCodeOfItsSecretAndADeviceThatOfItsCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk := e.browser(t)
		invitation, err := staff.New(e.DB, e.Clock).Add(t.Context(), staff.Account{Login: "olga", Name: "Olga", Role: access.Owner})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for range 2 { // each call offers another secret
			offer := desk.ok("POST", "/api/operator/sign-in/invitation", object{"invitation": invitation})
			expectQR(t, offer["totp_qr"].(string), offer["totp_url"].(string))
			seen[offer["totp_qr"].(string)] = true
		}
		if len(seen) != 2 {
			t.Error("two secrets have one picture")
		}
		device := desk.ok("POST", "/api/operator/devices", object{"site": "sushi", "shop_id": carttest.Arbat, "name": "Tablet"}, asOperator...)
		expectQR(t, device["code_qr"].(string), device["code"].(string))
	})
}

// expectQR fails the test unless the picture is exactly the QR code that holds the text, within a border of
// four modules.
func expectQR(t *testing.T, picture, text string) {
	t.Helper()
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		t.Fatal(err)
	}
	encoded, isSVG := strings.CutPrefix(picture, "data:image/svg+xml;base64,")
	svg, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || !isSVG {
		t.Fatalf("the picture is %q: %v", picture, err)
	}
	modules := code.Bounds().Dx()
	size := strconv.Itoa(modules + 8)
	if !strings.Contains(string(svg), `viewBox="0 0 `+size+" "+size+`"`) {
		t.Errorf("no border of four modules: %.120s", svg)
	}
	drawn := map[string]bool{}
	for _, m := range regexp.MustCompile(`M(\d+ \d+)h1v1h-1z`).FindAllStringSubmatch(string(svg), -1) {
		drawn[m[1]] = true
	}
	for y := range modules {
		for x := range modules {
			at := strconv.Itoa(x+4) + " " + strconv.Itoa(y+4)
			if isBlack := code.At(x, y) == color.Black; drawn[at] != isBlack {
				t.Fatalf("the module at %s is black: %t, want %t", at, drawn[at], isBlack)
			}
		}
	}
}
