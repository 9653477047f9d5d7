package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	// callTimeout bounds one call.
	callTimeout = 10 * time.Second
	// maxAnswer bounds what is read of an answer.
	maxAnswer = 8 << 20
)

// order is what the kitchen needs to know of an order.
type order struct {
	ID        int64     `json:"order_id"`
	Status    string    `json:"status"`
	Next      []string  `json:"next"`
	ChangedAt time.Time `json:"changed_at"`
	// PromisedFrom is when the order is handed over at the earliest.
	PromisedFrom time.Time `json:"promised_from"`
	From         *point    `json:"from"`
	To           *point    `json:"to"`
}

// nextState returns the first possible next state other than canceled; false when there is none.
func (o order) nextState() (string, bool) {
	for _, s := range o.Next {
		if s != "canceled" {
			return s, true
		}
	}
	return "", false
}

// client makes the operator calls.
type client struct {
	http  *http.Client
	base  string
	token string
}

// newClient returns a client of the operator calls at the address of the server.
func newClient(base, token string) client {
	return client{http: &http.Client{Timeout: callTimeout}, base: strings.TrimSuffix(base, "/") + "/api", token: token}
}

// listOpenOrders returns the orders that are under way, at most 500.
func (c client) listOpenOrders(ctx context.Context) ([]order, error) {
	var answer struct {
		Orders []order `json:"orders"`
	}
	err := c.call(ctx, http.MethodGet, "/operator/orders?limit=500", nil, &answer)
	return answer.Orders, err
}

// setStatus moves an order to a state. It is no error when another caller has moved it first.
func (c client) setStatus(ctx context.Context, id int64, status string) error {
	body := map[string]string{"status": status, "actor": "simulation"}
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/operator/orders/%d/status", id), body, nil)
}

// setCourier reports the position of the courier of an order.
func (c client) setCourier(ctx context.Context, id int64, position point) error {
	body := map[string]point{"coordinates": position}
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/operator/orders/%d/courier-location", id), body, nil)
}

// call makes one operator call and reads its answer, if answer is not nil. A Conflict is no error,
// and leaves answer as it is.
func (c client) call(ctx context.Context, method, path string, body, answer any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return err // names the method and the address
	}
	defer response.Body.Close() //nolint:errcheck // the answer is read already
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, path, err)
	case response.StatusCode == http.StatusConflict:
		return nil // another caller has moved the order; the next MoveOrders reads its state
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s %s: status %d", method, path, response.StatusCode)
	case answer == nil:
		return nil
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}
