package server

import (
	"net/http"
	"sync"

	"servery/internal/licences"
	"servery/internal/server/precompressed"
)

// licencesHeaders let browsers and proxies keep the licences for a day: they change with
// the program only.
var licencesHeaders = http.Header{
	"Cache-Control": {"public, max-age=86400"},
	"Vary":          {"Accept-Encoding"},
}

// packedLicences packs the licences once, for all servers of the process.
var packedLicences = sync.OnceValues(func() (*precompressed.Body, error) {
	return precompressed.Compress([]byte(licences.Text()))
})

// thirdParty is GET /licences.txt: the licences of everything that is in the program and
// in the page.
func (s *Server) thirdParty(w http.ResponseWriter, r *http.Request) {
	body, err := packedLicences()
	if err != nil {
		s.problem(w, r, err)
		return
	}
	answer := precompressed.Answer{Body: body, Request: r, ContentType: "text/plain; charset=utf-8", Status: http.StatusOK, Headers: licencesHeaders}
	_ = answer.Send(w) // a failing write means that the caller is gone
}
