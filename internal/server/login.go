package server

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// Login is POST /user/login.
func (s *Server) Login(_ context.Context, _ wire.LoginRequestObject) (wire.LoginResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// GetVerification is GET /user/verification.
func (s *Server) GetVerification(_ context.Context, _ wire.GetVerificationRequestObject) (wire.GetVerificationResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// CheckVerificationCode is POST /user/check-verification-code.
func (s *Server) CheckVerificationCode(_ context.Context, _ wire.CheckVerificationCodeRequestObject) (wire.CheckVerificationCodeResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// CheckSession is GET /user/check-session.
func (s *Server) CheckSession(_ context.Context, _ wire.CheckSessionRequestObject) (wire.CheckSessionResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}

// Logout is DELETE /user/logout.
func (s *Server) Logout(_ context.Context, _ wire.LogoutRequestObject) (wire.LogoutResponseObject, error) {
	return nil, fault.New(fault.NotFound, "common.not_found")
}
