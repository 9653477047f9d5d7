package mail_test

import (
	"context"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"servery/internal/forward"
	"servery/internal/forward/mail"
	"servery/internal/forward/mail/double"
)

const (
	secret = "hunter2-of-the-mailbox"
	writer = "anna@example.com"
)

// newServer starts a mail server and returns the settings that reach it.
func newServer(t *testing.T) (*double.Server, mail.Settings) {
	t.Helper()
	s, err := double.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, mail.Settings{
		Host: "127.0.0.1", Port: s.Port(), Security: mail.Plain, From: "Сакура <forms@sushi.example>", To: "office@sushi.example", Timeout: 2 * time.Second,
	}
}

// newMailer returns a mailer with the settings.
func newMailer(t *testing.T, s mail.Settings) *mail.Mailer {
	t.Helper()
	m, err := mail.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// newMessage returns a message whose subject and text try to break out of a mail.
func newMessage() forward.Message {
	return forward.Message{
		Key: "feedback-7", Subject: "Сакура · Вопрос · Анна\r\nBcc: all@example.com", Text: "Вопрос\n.\nТочка", ReplyTo: writer,
		At: time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC),
	}
}

func TestMailer_Send_deliversTheWholeMessage(t *testing.T) {
	t.Parallel()
	server, settings := newServer(t)
	if err := newMailer(t, settings).Send(t.Context(), newMessage()); err != nil {
		t.Fatal(err)
	}
	got := server.Mails()
	if len(got) != 1 || got[0].From != "forms@sushi.example" || got[0].To != "office@sushi.example" {
		t.Fatalf("taken: %+v", got)
	}
	read, err := netmail.ReadMessage(strings.NewReader(got[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
	if err != nil || !strings.HasPrefix(subject, "Сакура · Вопрос · Анна") {
		t.Errorf("subject %q, %v", subject, err)
	}
	if read.Header.Get("Bcc") != "" || read.Header.Get("Message-Id") != "<feedback-7@127.0.0.1>" || !strings.Contains(read.Header.Get("Reply-To"), writer) {
		t.Errorf("headers: %v", read.Header)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(read.Body))
	if err != nil || !strings.Contains(strings.ReplaceAll(string(body), "\r\n", "\n"), "Вопрос\n.") || !strings.Contains(string(body), "Точка") {
		t.Errorf("body %q, %v", body, err)
	}
}

func TestMailer_Send_signsIn(t *testing.T) {
	t.Parallel()
	server, settings := newServer(t)
	server.User, server.Password = "forms", secret
	settings.User, settings.Password = "forms", secret
	if err := newMailer(t, settings).Send(t.Context(), newMessage()); err != nil {
		t.Fatal(err)
	}
	settings.Password = "another-password"
	err := newMailer(t, settings).Send(t.Context(), newMessage())
	if err == nil || strings.Contains(err.Error(), "another-password") || len(server.Mails()) != 1 {
		t.Errorf("a wrong password: %v", err)
	}
}

func TestMailer_Send_failsWithoutTheContents(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]double.Fault{
		"no greeting":       {Stage: double.Greeting},
		"busy":              {Stage: double.Greeting, Reply: "421 too busy"},
		"sender refused":    {Stage: double.Sender, Reply: "550 not from forms@sushi.example"},
		"recipient refused": {Stage: double.Recipient, Reply: "550 no office@sushi.example here"},
		"try later":         {Stage: double.Data, Reply: "451 anna@example.com must wait"},
		"slow":              {Stage: double.Sender, Delay: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, settings := newServer(t)
			settings.Timeout = 200 * time.Millisecond
			mailer := newMailer(t, settings)
			server.Fail(fault)
			err := mailer.Send(t.Context(), newMessage())
			if err == nil || len(server.Mails()) > 0 {
				t.Fatalf("%v, taken: %v", err, server.Mails())
			}
			for _, word := range []string{writer, "Анна", "sushi.example"} {
				if strings.Contains(err.Error(), word) {
					t.Errorf("the error has %q: %v", word, err)
				}
			}
			if err := mailer.Send(t.Context(), newMessage()); err != nil {
				t.Errorf("the attempt after it: %v", err)
			}
		})
	}
}

func TestMailer_Send_refusesAServerWithoutEncryption(t *testing.T) {
	t.Parallel()
	for _, security := range []mail.Security{mail.StartTLS, mail.TLS} {
		server, settings := newServer(t)
		settings.Security, settings.Timeout = security, 300*time.Millisecond
		if err := newMailer(t, settings).Send(t.Context(), newMessage()); err == nil || len(server.Mails()) > 0 {
			t.Errorf("%s: %v", security, err)
		}
	}
}

func TestMailer_Send_endsWithItsContext(t *testing.T) {
	t.Parallel()
	server, settings := newServer(t)
	settings.Timeout = time.Minute
	server.Fail(double.Fault{Stage: double.Greeting})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := newMailer(t, settings).Send(ctx, newMessage()); err == nil {
		t.Error("a silent server took the mail")
	}
}

func TestNew_refusesSettingsThatReachNobody(t *testing.T) {
	t.Parallel()
	for _, s := range []mail.Settings{{Host: "h", From: "nobody", To: "a@b.example"}, {Host: "h", From: "a@b.example"}, {From: "a@b.example", To: "a@b.example"}} {
		if _, err := mail.New(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}
