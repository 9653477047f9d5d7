package races_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// paying has the fields of all answers to a payer's calls.
type paying struct {
	Message       string
	Errors        map[string][]string
	Cart          *cart
	OrderCacheKey string `json:"order_cache_key"`
	OrderID       int64  `json:"order_id"`
	State         string
	Next          *next
	Payment       *paying
	PublicKey     string `json:"public_key"`
	URL           string
}

// next is the next step of the payment page.
type next struct {
	Reason        string
	FormURL       string `json:"form_url"`
	PaymentLink   string `json:"payment_link"`
	TransactionID string `json:"transaction_id"`
	MD            string
	PaReq         string
	TermUrl       string
	AcsUrl        string
	CReq          string `json:"cReq"`
	ThreeDS       *struct {
		TransID    string `json:"threeDSServerTransID"`
		MethodURL  string `json:"threeDSMethodURL"`
		MethodData string `json:"threeDSMethodData"`
	} `json:"threeDS"`
}

var errGone = errors.New("there is no answer")

// send repeats a request until it is answered otherwise than by 503 or 429. It returns errGone when ctx ends before.
func (p *payer) send(ctx context.Context, method, address, contentType, key string, body []byte) (int, []byte, error) {
	for {
		r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		if contentType != "" {
			r.Header.Set("Content-Type", contentType)
		}
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
		if p.isOperator {
			r.Header.Set("Authorization", "Bearer "+operatorToken)
		}
		if p.cookie != "" {
			r.Header.Set("Cookie", p.cookie)
		}
		status, text, err := p.receive(r)
		if err == nil && status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests {
			return status, text, nil
		}
		select {
		case <-ctx.Done():
			return 0, nil, errGone
		case <-time.After(time.Duration(20+p.dice.IntN(60)) * time.Millisecond):
		}
	}
}

// receive sends a request once and returns status and text of the answer. It stores the session cookie that the answer
// sets.
func (p *payer) receive(r *http.Request) (int, []byte, error) {
	response, err := p.browser.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, err
	}
	for _, c := range response.Cookies() {
		if c.Name == "session" {
			p.cookie = c.Name + "=" + c.Value
		}
	}
	return response.StatusCode, text, nil
}

// call makes a call of the API and returns its status and answer. It stores a fault for any answer that is neither a
// success nor a refusal, and for none.
func (p *payer) call(ctx context.Context, method, path string, body object) (int, paying) {
	text, err := json.Marshal(body)
	if err != nil {
		p.fail("%s: %v", path, err)
		return 0, paying{}
	}
	if body == nil {
		text = nil
	}
	status, answer, err := p.send(ctx, method, p.base+"/api"+path, "application/json", fmt.Sprintf("key-%016x", p.dice.Uint64()), text)
	var a paying
	switch {
	case err != nil:
		p.fail("%s: %v", path, err)
	case status != http.StatusOK && status != http.StatusConflict && status != http.StatusUnprocessableEntity:
		p.fail("%s: %d %s", path, status, answer)
	default:
		if err := json.Unmarshal(answer, &a); err != nil {
			p.fail("%s: %v", path, err)
		}
	}
	return status, a
}
