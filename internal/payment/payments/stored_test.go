package payments

import (
	"testing"

	"servery/internal/acquiring"
	"servery/internal/db/storedtest"
	"servery/internal/payment"
)

// The JSON form of all that payments store is as in testdata, so that a new program reads what an
// older one has stored.
func TestStoredForm_ofPayment(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, []payment.RefundLine{}, storedNext{}, payment.Call{}, payment.RefundRequest{}, pollJob{}, refundJob{}, closingJob{})
}

// A next action as an older program has stored it is still read: a payment may wait for its 3-D
// Secure while the program is replaced.
func TestStoredForm_threeDSecureOfOlderPrograms(t *testing.T) {
	t.Parallel()
	before := `{"kind":"three_ds_1","three_ds":{"ACSURL":"https://acs.example","MD":"m","PaReq":"p","TermURL":"t","Framed":true}}`
	next, err := decodeNext([]byte(before), "ref")
	want := acquiring.ThreeDS{ACSURL: "https://acs.example", MD: "m", PaReq: "p", TermURL: "t", Framed: true}
	if err != nil || next.ThreeDS != want || next.Kind != acquiring.ThreeDS1 {
		t.Errorf("got %+v, %v", next, err)
	}
}
