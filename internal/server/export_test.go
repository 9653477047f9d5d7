package server

// Patterns gives the pattern of every route.
func (s *Server) Patterns() []string { return s.patterns }
