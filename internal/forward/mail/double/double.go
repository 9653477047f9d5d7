// Package double is a mail server for tests: it speaks enough of SMTP to take mails, and fails on
// request.
package double

import (
	"bufio"
	"context"
	"encoding/base64"
	"net"
	"strings"
	"sync"
	"time"
)

// Stage is a step of a delivery at which the server can fail.
type Stage string

// The stages, in their order.
const (
	Greeting  Stage = "greeting"
	Auth      Stage = "auth"
	Sender    Stage = "sender"
	Recipient Stage = "recipient"
	Data      Stage = "data"
)

// Fault is how one connection fails.
type Fault struct {
	Stage Stage
	// Reply is a line such as "451 try later"; empty for no reply at all until the server closes.
	Reply string
	// Delay is how long the server waits before the reply of the stage.
	Delay time.Duration
}

// Mail is a mail that was taken.
type Mail struct{ From, To, Data string }

// Server is a mail server on this machine. It is safe for concurrent use.
type Server struct {
	// User and Password are those that must sign in; without a user nobody has to.
	User, Password string

	listener net.Listener
	open     sync.WaitGroup
	closed   chan struct{}
	mu       sync.Mutex
	faults   []Fault
	mails    []Mail
}

// Start starts a server on a free port.
func Start(ctx context.Context) (*Server, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: listener, closed: make(chan struct{})}
	s.open.Go(s.accept)
	return s, nil
}

// Port returns the port of the server.
func (s *Server) Port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// Close ends the server and its connections.
func (s *Server) Close() {
	close(s.closed)
	_ = s.listener.Close() // nothing is lost
	s.open.Wait()
}

// Fail makes the next connections fail, one for each fault.
func (s *Server) Fail(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Mails returns the mails that were taken, the first one first.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail{}, s.mails...)
}

// accept serves each connection until the server is closed.
func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		var fault Fault
		if len(s.faults) > 0 {
			fault, s.faults = s.faults[0], s.faults[1:]
		}
		s.mu.Unlock()
		s.open.Go(func() {
			defer func() { _ = conn.Close() }() // the client sees the end of the connection
			done := make(chan struct{})
			defer close(done)
			go func() { // ends a connection that waits for its client
				select {
				case <-s.closed:
					_ = conn.Close()
				case <-done:
				}
			}()
			(&session{server: s, conn: conn, lines: bufio.NewReader(conn), fault: fault}).serve()
		})
	}
}

// session is one connection.
type session struct {
	server     *Server
	conn       net.Conn
	lines      *bufio.Reader
	fault      Fault
	mail       Mail
	isSignedIn bool
}

// reply sends the line of a stage, or the reply of a fault at that stage, and reports whether the session
// goes on. A fault with neither reply nor delay sends nothing and waits until the server closes. The
// stage is empty for lines at which nothing fails.
func (c *session) reply(stage Stage, line string) bool {
	isFault := c.fault.Stage == stage && stage != ""
	if isFault {
		select {
		case <-time.After(c.fault.Delay):
		case <-c.server.closed:
			return false
		}
		if c.fault.Reply == "" && c.fault.Delay == 0 {
			<-c.server.closed
			return false
		}
		if c.fault.Reply != "" {
			line = c.fault.Reply
		}
	}
	_, err := c.conn.Write([]byte(line + "\r\n"))
	return err == nil
}

// serve answers the lines of the client.
func (c *session) serve() {
	if !c.reply(Greeting, "220 double ready") {
		return
	}
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil || !c.answer(strings.TrimSpace(line)) {
			return
		}
	}
}

// answer answers one line and reports whether the session goes on.
func (c *session) answer(line string) bool {
	command, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(command) {
	case "EHLO", "HELO":
		return c.reply("", "250-double\r\n250 AUTH PLAIN")
	case "AUTH":
		return c.signIn(rest)
	case "MAIL":
		if c.server.User != "" && !c.isSignedIn {
			return c.reply("", "530 5.7.0 sign in first")
		}
		c.mail = Mail{From: address(rest)}
		return c.reply(Sender, "250 ok")
	case "RCPT":
		c.mail.To = address(rest)
		return c.reply(Recipient, "250 ok")
	case "DATA":
		return c.receiveMail()
	case "QUIT":
		c.reply("", "221 bye")
		return false
	}
	return c.reply("", "250 ok")
}

// signIn answers AUTH PLAIN and reports whether the session goes on.
func (c *session) signIn(rest string) bool {
	_, encoded, _ := strings.Cut(rest, " ")
	plain, err := base64.StdEncoding.DecodeString(encoded)
	c.isSignedIn = err == nil && string(plain) == "\x00"+c.server.User+"\x00"+c.server.Password
	if !c.isSignedIn {
		return c.reply("", "535 5.7.8 wrong password for "+c.server.User)
	}
	return c.reply(Auth, "235 ok")
}

// receiveMail reads the mail and stores it, unless a fault at Data refuses it; a fault whose reply is
// 2xx refuses nothing. It reports whether the session goes on.
func (c *session) receiveMail() bool {
	if !c.reply("", "354 go on") {
		return false
	}
	var data strings.Builder
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil {
			return false
		}
		if strings.TrimRight(line, "\r\n") == "." {
			break
		}
		data.WriteString(line)
	}
	c.mail.Data = data.String()
	if c.fault.Stage != Data || strings.HasPrefix(c.fault.Reply, "2") {
		c.server.mu.Lock()
		c.server.mails = append(c.server.mails, c.mail)
		c.server.mu.Unlock()
	}
	return c.reply(Data, "250 kept")
}

// address returns what stands between angle brackets.
func address(text string) string {
	_, rest, _ := strings.Cut(text, "<")
	inside, _, _ := strings.Cut(rest, ">")
	return inside
}
