package smsru_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/notify"
	"servery/internal/notify/smsru"
	"servery/internal/notify/smsru/double"
	"servery/internal/remote"
	"servery/internal/remote/faultinject"
)

const (
	phone  = "79161234567"
	secret = "hunter2"
)

// newMessage returns a message to deliver.
func newMessage() notify.Message {
	return notify.Message{Phone: phone, Code: "0042", Text: "Ваш код 0042", Address: "203.0.113.7"}
}

// startProvider starts a double of the provider and returns it with settings that lead to it.
func startProvider(t *testing.T) (*double.Server, smsru.Settings) {
	t.Helper()
	d := double.New(secret)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return d, smsru.Settings{BaseURL: server.URL, APIID: secret, From: "Sushi"}
}

// expectNothingPersonal fails the test when the error contains the phone, the secret or a part of the message.
func expectNothingPersonal(t *testing.T, err error) {
	t.Helper()
	for _, word := range []string{phone, secret, "0042", "Ваш"} {
		if strings.Contains(err.Error(), word) || strings.Contains(fmt.Sprintf("%+v", err), word) {
			t.Errorf("the error has %q: %v", word, err)
		}
	}
}

func TestSMSRu_sendsATextWithItsSenderAndTheVisitorsAddress(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	sent, err := smsru.NewSMS(settings).Send(t.Context(), newMessage())
	if err != nil || sent != (notify.Sent{}) {
		t.Fatal(sent, err)
	}
	want := double.Sent{Channel: "sms", Phone: phone, Text: "Ваш код 0042", IP: "203.0.113.7", From: "Sushi"}
	if got := d.Sent(phone); len(got) != 1 || got[0] != want {
		t.Errorf("sent: %+v", got)
	}
}

func TestSMSRu_refusedNumberInsideAnAnswerThatIsOKIsARefusal(t *testing.T) {
	t.Parallel()
	for code, undeliverable := range map[int]bool{202: true, 207: false, 209: false, 230: false, 233: false, 999: false} {
		d, settings := startProvider(t)
		d.Refuse(phone, code)
		_, err := smsru.NewSMS(settings).Send(t.Context(), newMessage())
		var refusal *notify.Refusal
		if !errors.As(err, &refusal) || refusal.Code != fmt.Sprint(code) || errors.Is(err, notify.ErrUndeliverable) != undeliverable || errors.Is(err, notify.ErrOptedOut) != (code == 209) {
			t.Errorf("%d: %v", code, err)
			continue
		}
		expectNothingPersonal(t, err)
	}
}

func TestSMSRu_wrongAccountIsARefusalThatAllowsAnotherSender(t *testing.T) {
	t.Parallel()
	_, settings := startProvider(t)
	settings.APIID = "other"
	for _, sender := range []notify.Sender{smsru.NewSMS(settings), smsru.NewCall(settings)} {
		_, err := sender.Send(t.Context(), newMessage())
		var refusal *notify.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "200" || errors.Is(err, notify.ErrUndeliverable) {
			t.Errorf("error: %v", err)
		}
	}
}

func TestSMSRu_callReturnsTheProvidersCodeWithItsZeros(t *testing.T) {
	t.Parallel()
	for _, entered := range []struct {
		code any
		want string
	}{{"1435", "1435"}, {1435, "1435"}, {"0042", "0042"}, {42, "0042"}, {0, "0000"}} {
		d, settings := startProvider(t)
		d.SetNextCode(entered.code)
		sent, err := smsru.NewCall(settings).Send(t.Context(), newMessage())
		if err != nil || sent.Code != entered.want {
			t.Errorf("%v is %q, %v", entered.code, sent.Code, err)
		}
	}
}

func TestSMSRu_callWithoutAKnownAddressSaysSo(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	m := newMessage()
	m.Address = "2001:db8::/64" // the network of a line is no address
	if _, err := smsru.NewCall(settings).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := d.Sent(phone); len(got) != 1 || got[0].IP != "-1" {
		t.Errorf("sent: %+v", got)
	}
}

func TestSMSRu_callThatIsRefusedOrHasNoCodeIsAnError(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	for _, code := range []any{"", "12345", "12a4", nil, -1} {
		d.SetNextCode(code)
		if sent, err := smsru.NewCall(settings).Send(t.Context(), newMessage()); err == nil {
			t.Errorf("%v is %q", code, sent.Code)
		}
	}
	d.Refuse(phone, 207)
	_, err := smsru.NewCall(settings).Send(t.Context(), newMessage())
	var refusal *notify.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("error: %v", err)
	}
	expectNothingPersonal(t, err)
}

func TestCall_refusesABrandWithLongerCodes(t *testing.T) {
	t.Parallel()
	d, settings := startProvider(t)
	m := newMessage()
	m.Code = "123456"
	if _, err := smsru.NewCall(settings).Send(t.Context(), m); err == nil || len(d.Sent("")) != 0 {
		t.Errorf("error %v, sent %v", err, d.Sent(""))
	}
}

func TestSMSRu_outageIsATemporaryError(t *testing.T) {
	t.Parallel()
	for name, injected := range faultinject.All() {
		for _, channel := range []string{"sms", "call"} {
			t.Run(name+" "+channel, func(t *testing.T) {
				t.Parallel()
				d, settings := startProvider(t)
				var sender notify.Sender = smsru.NewSMS(settings)
				if channel == "call" {
					sender = smsru.NewCall(settings)
				}
				ctx := t.Context()
				if injected.Silent {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
				}
				d.Inject(injected)
				_, err := sender.Send(ctx, newMessage())
				var fault *remote.Error
				if !errors.As(err, &fault) || errors.Is(err, notify.ErrUndeliverable) {
					t.Fatalf("error: %v", err)
				}
				expectNothingPersonal(t, err)
				if _, err := sender.Send(t.Context(), newMessage()); err != nil {
					t.Errorf("the next one: %v", err)
				}
			})
		}
	}
}

func TestSMSRu_oddAnswerIsAnError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"status":"OK","status_code":100}`, `{"status":"OK","sms":{}}`, `{}`, `[]`, `null`, `"OK"`,
		`{"status":"OK","sms":{"1":{"status":"OK"},"2":{"status":"OK"}}}`, `{"status":"OK","sms":{"7":{}}}`,
	} {
		d, settings := startProvider(t)
		d.Inject(faultinject.Fault{Status: 200, Body: body}, faultinject.Fault{Status: 200, Body: body})
		if _, err := smsru.NewSMS(settings).Send(t.Context(), newMessage()); err == nil {
			t.Errorf("%s is taken for a sent message", body)
		}
		if _, err := smsru.NewCall(settings).Send(t.Context(), newMessage()); err == nil {
			t.Errorf("%s is taken for a call", body)
		}
	}
}
