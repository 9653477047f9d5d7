package page

import (
	"net/http"
	"path"

	"servery/internal/server/request"
	"servery/internal/site"
)

// Addresses that browsers and phones ask for where a document names no icon, or none that they draw.
const (
	TabIconPath   = "/favicon.ico"
	TouchIconPath = "/apple-touch-icon.png"
)

// ServeTabIcon answers GET /favicon.ico with the brand's icon for tabs.
func (s *Server) ServeTabIcon(w http.ResponseWriter, r *http.Request) { s.sendIcon(w, r, site.TabIcon) }

// ServeTouchIcon answers GET /apple-touch-icon.png with the brand's icon for home screens.
func (s *Server) ServeTouchIcon(w http.ResponseWriter, r *http.Request) {
	s.sendIcon(w, r, site.TouchIcon)
}

// sendIcon sends the brand's icon for a purpose, or 404 where it has none. Caches keep it for a day: it
// changes with the content only.
func (s *Server) sendIcon(w http.ResponseWriter, r *http.Request, purpose site.IconPurpose) {
	src := iconOf(request.From(r.Context()).Site, purpose)
	if src == "" {
		http.NotFound(w, r)
		return
	}
	m, err := s.catalog.Media(r.Context(), path.Base(src))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	sendFileFor(w, r, m.Type, m.Body, keepForADay)
}
