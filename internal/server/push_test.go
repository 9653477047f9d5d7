package server_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// pushSubscription returns the body of a call that subscribes a browser at an endpoint.
func pushSubscription(endpoint string) object {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return object{"endpoint": endpoint, "keys": object{"p256dh": encode(key.PublicKey().Bytes()), "auth": encode(make([]byte, 16))}}
}

func TestSubscribeToOrder_takesOnlyAddressesOfPublicHosts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		id, _ := b.order()
		path := fmt.Sprintf("/api/order/%d/push", id)
		if a := b.call("POST", path, pushSubscription("https://push.example.com/send/1")); a.status != http.StatusNoContent {
			t.Errorf("answered %d: %s", a.status, a.text)
		}
		for _, endpoint := range []string{"http://push.example.com/1", "https://127.0.0.1/1", "https://localhost/1", "https://printer.local/1", "https://push.example.com:8443/1"} {
			b.refused(http.StatusUnprocessableEntity, "", "POST", path, pushSubscription(endpoint))
		}
		if a := b.call("DELETE", path, nil); a.status != http.StatusNoContent {
			t.Errorf("answered %d: %s", a.status, a.text)
		}
	})
}
