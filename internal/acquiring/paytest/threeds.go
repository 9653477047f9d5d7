package paytest

import (
	"sync"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
)

// startChallenge starts a payment and returns its first step of 3-D Secure; false when the case
// has none. Where the acquirer has to be prepared, it sets the parameter and the token of in.
func (p *player) startChallenge(c Case, in *acquiring.Intent) (acquiring.Next, bool) {
	p.Helper()
	next, err := p.Acquirer.StartPayment(p.Context(), *in)
	if err == nil && next.Kind == acquiring.Prepared {
		in.VerifyParam = next.VerifyParam
		c.Edit(in, success)
		next, err = p.Acquirer.StartPayment(p.Context(), *in)
	}
	if err != nil {
		p.Fatal(err)
	}
	return next, next.Kind == acquiring.ThreeDS1 || next.Kind == acquiring.ThreeDS2
}

// testChallenges checks that results of 3-D Secure which are submitted several times at once
// take money once.
func testChallenges(p *player, c Case) {
	in := p.newIntent(c, "results", success)
	next, ok := p.startChallenge(c, &in)
	if !ok {
		return
	}
	for range 4 {
		result := p.Challenge(next, success)
		result.Lookup = in.Lookup(next.Ref)
		last := result
		var work sync.WaitGroup
		results := make([]acquiring.Next, 4)
		for i := range results {
			work.Go(func() {
				var err error
				if results[i], err = p.Acquirer.Finish3DS(p.Context(), last); err != nil || results[i].Kind == acquiring.Declined {
					p.Errorf("finish = %+v, %v", results[i], err)
				}
			})
		}
		work.Wait()
		if kind := results[0].Kind; kind == acquiring.ThreeDS1 || kind == acquiring.ThreeDS2 {
			next = results[0]
		}
	}
	p.checkChargedOnce(in, p.settlePayment(c, in, success, noFault))
}

// testUnsent checks that a result of 3-D Secure can be submitted later when the acquirer's query fails at
// first. Finish3DS must not leave the outcome unknown: an acquirer that reads the payment first returns an
// error of kind [acquiring.Unsent], the others finish at once.
func testUnsent(p *player, c Case) {
	in := p.newIntent(c, "unsent", success)
	next, ok := p.startChallenge(c, &in)
	if !ok || next.Ref == "" {
		return
	}
	result := p.Challenge(next, success)
	result.Lookup = in.Lookup(next.Ref)
	p.Books.ArmFault("status", double.BadBefore)
	got, err := p.Acquirer.Finish3DS(p.Context(), result) // some acquirers read the payment first
	if err == nil && got.Kind == acquiring.Unknown || err != nil && acquiring.KindOf(err) != acquiring.Unsent {
		p.Errorf("finish = %+v, %v", got, err)
	}
	p.Books.ClearFaults()
	p.checkChargedOnce(in, p.settlePayment(c, in, success, noFault))
}

// testAbandoned checks that 3-D Secure which is not finished, or is answered with a made-up
// result, takes nothing.
func testAbandoned(p *player, c Case) {
	in := p.newIntent(c, "abandoned", success)
	next, ok := p.startChallenge(c, &in)
	if !ok {
		return
	}
	e, err := p.Acquirer.QueryStatus(p.Context(), in.Lookup(next.Ref))
	if err != nil || e.State != acquiring.Pending {
		p.Errorf("status = %+v, %v", e, err)
	}
	// What the bank's page never gave.
	for _, result := range []acquiring.ThreeDSResult{{PaRes: "made up"}, {CRes: "made up"}} {
		result.Lookup = in.Lookup(next.Ref)
		if got, err := p.Acquirer.Finish3DS(p.Context(), result); err == nil && got.Kind == acquiring.Done {
			p.Errorf("finish = %+v", got)
		}
	}
	p.Clock.Advance(3 * time.Hour)
	if times, _, _ := p.Books.SumCharged(string(in.ID)); times != 0 {
		p.Errorf("charged %d times", times)
	}
}
