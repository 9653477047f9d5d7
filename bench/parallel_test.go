package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
)

// callers is how many visitors change their carts at once.
const callers = 16

// BenchmarkTogether measures sixteen visitors who change their carts at once. Its profile shows where they
// wait for each other.
func BenchmarkTogether(b *testing.B) {
	for _, work := range []struct {
		name   string
		paths  [2]string
		bodies func(v *visitor) [2]map[string]any
	}{
		{"promocode", [2]string{applyPath, applyPath}, func(v *visitor) [2]map[string]any {
			v.earnGift()
			return codes
		}},
		{"gift", giftPaths, func(v *visitor) [2]map[string]any {
			gift := place("gift_id", v.earnGift())
			return [2]map[string]any{gift, gift}
		}},
		{"add", [2]string{"/api/cart/add", "/api/cart/remove"}, func(v *visitor) [2]map[string]any {
			line := place("product_key", v.simpleProduct(), "count", 1)
			v.call(http.MethodPut, "/api/cart/add", line)
			return [2]map[string]any{line, line}
		}},
	} {
		b.Run(work.name, func(b *testing.B) {
			runOnEngines(b, func(b *testing.B, h http.Handler) {
				var requests [callers]func(n int) *http.Request
				for i := range requests {
					v := &visitor{b: b, h: h}
					requests[i] = v.alternate(work.paths, work.bodies(v))
				}
				b.ReportAllocs()
				b.SetParallelism(max(callers/runtime.GOMAXPROCS(0), 1))
				var next atomic.Int64
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					request := requests[int(next.Add(1)-1)%callers]
					for n := 1; pb.Next(); n++ {
						serve(b, h, request(n))
					}
				})
			})
		})
	}
}

// alternate returns a function that makes the visitor's n-th request: an even n is paths[0] with bodies[0], an
// odd n is paths[1] with bodies[1]. Each has an idempotency key of its own.
func (v *visitor) alternate(paths [2]string, bodies [2]map[string]any) func(n int) *http.Request {
	var texts [2][]byte
	for i, body := range bodies {
		texts[i], _ = json.Marshal(body)
	}
	return func(n int) *http.Request {
		r := httptest.NewRequest(http.MethodPut, paths[n%2], bytes.NewReader(texts[n%2]))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Cookie", v.cookie)
		r.Header.Set("Idempotency-Key", fmt.Sprintf("%032d", n))
		return r
	}
}
