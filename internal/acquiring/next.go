package acquiring

// NextKind is what comes next in a payment. The set is closed.
type NextKind uint8

// The closed set of what comes next. The zero Kind is Unknown, so that a forgotten one
// never reads as a refusal.
const (
	Unknown    NextKind = iota // money may have been taken: poll Status; Ref if it is known
	Redirect                   // send the customer to URL
	MobileLink                 // open URL on a phone, or draw QR
	ThreeDS1                   // post ThreeDS.MD, PaReq and TermURL to ThreeDS.ACSURL
	ThreeDS2                   // first the hidden frame when there is a MethodURL, else CReq to ACSURL
	Push                       // the customer's phone asks; poll
	Prepared                   // encrypt with VerifyParam, then Start again with both
	Done                       // paid; apply Event
	Declined                   // certainly not paid; apply Event, Event.Reason says why
)

var kindNames = [...]string{
	"unknown", "redirect", "mobile_link", "three_ds_1", "three_ds_2", "push", "prepared", "done", "declined",
}

// String returns the kind as a stable word.
func (k NextKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Unknown]
}

// Next is what comes next. Only the fields that its Kind names are set, and Ref.
type Next struct {
	Kind NextKind
	// Ref is the acquirer's name of the payment; it may be "" when Unknown.
	Ref string
	// URL is an absolute address, https with every real acquirer.
	URL string
	// QR is the text to draw as a QR code.
	QR          string
	ThreeDS     ThreeDS
	VerifyParam string
	// Event is set when Done or Declined.
	Event Event
}

// ThreeDS is what the page posts to the customer's bank. Nothing in it is secret to the
// customer, but none of it belongs in a log. It is stored while a payment waits; the names in JSON
// stay as earlier versions of the program read and write them.
type ThreeDS struct {
	ACSURL string `json:"acsurl"`
	// MD, PaReq and TermURL are of version 1; their names are the form's, with these
	// capitals. Framed says that the bank's page may be shown in a frame.
	MD      string `json:"md"`
	PaReq   string `json:"pareq"`
	TermURL string `json:"termurl"`
	Framed  bool   `json:"framed"`
	// MethodURL takes MethodData as threeDSMethodData in a hidden frame; after 5 seconds
	// at most call Finish3DS with an empty result.
	MethodURL  string `json:"methodurl"`
	MethodData string `json:"methoddata"`
	// TransID is threeDSServerTransID.
	TransID string `json:"transid"`
	// CReq goes to ACSURL as creq.
	CReq string `json:"creq"`
}

// NextOfEvent returns what an event means as the answer to StartPayment or Finish3DS: Done,
// Declined, or Unknown for a payment that is not over.
func NextOfEvent(e Event) Next {
	switch e.State {
	case Paid:
		return Next{Kind: Done, Ref: e.Ref, Event: e}
	case Failed:
		return Next{Kind: Declined, Ref: e.Ref, Event: e}
	case Absent, Pending, Held, Asked:
	}
	return Next{Kind: Unknown, Ref: e.Ref}
}

// DeclinedNext returns the answer for a payment that the acquirer refused to begin, so that
// certainly nothing was taken. ref is the acquirer's reference, or [NoRef]; code is its own word
// for the reason.
func DeclinedNext(in Intent, ref string, reason Reason, code string) Next {
	return NextOfEvent(Event{Ref: ref, ID: in.ID, State: Failed, Sum: in.Sum, Reason: reason, Code: CleanCode(code)})
}
