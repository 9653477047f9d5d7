// Package sandbox is a bank for trying things out: it takes every way to pay, moves no
// money, and does whatever a real one may do, on request. A release has nothing of it but
// its tables.
//
// It keeps books of its own ([Bank]), so that it survives the end of the process and
// several processes are one bank. [Bank.Acquirer] is how a brand is its customer,
// [Bank.Pages] are what people see of it, below /dev/sandbox/, and [Bank.Run] sends shops
// by signed callbacks what became of their payments.
//
// # How a payment ends
//
// By the test card (see [Cards]), or by the button that is pressed on the page of the
// phone, the bank or the wallet. Any other card number is refused, so that no real
// one is left here. Expiry must lie ahead and the code must have three digits.
//
// # The card form
//
// Settings of method CardForm have PublicKey, an RSA key in PEM (SPKI, "BEGIN PUBLIC
// KEY"), and neither script nor KeyVersion. The page encrypts this JSON in UTF-8
//
//	{"number":"4242424242424242","exp_month":12,"exp_year":2030,"cvc":"123"}
//
// with RSA-OAEP, SHA-256, no label, as WebCrypto's "RSA-OAEP" does, and sends the
// ciphertext in standard base64 (with padding) as the token. The number has digits only;
// exp_month and exp_year are numbers, the year with four digits.
//
// The account [NameVerifying] answers the first start with Prepared and a verify_param,
// and refuses cryptograms without it: the same JSON with "verify_param":"…" in it.
//
// 3-D Secure 1: ThreeDS.MD, PaReq and TermUrl are posted to ThreeDS.ACSURL, whose page may
// stand in a frame of the same origin and posts MD and PaRes to TermUrl. 3-D Secure 2:
// MethodURL takes threeDSMethodData in a hidden frame, which shows nothing; after an empty
// proof ThreeDS.CReq goes to ACSURL as creq, and the page posts cres (and
// threeDSSessionData, as it came) to the TermURL of the intent.
//
// # Where people and tools look
//
//	/dev/sandbox/                      test cards, the last payments, faults on request
//	/dev/sandbox/pay/{ref}             the page for cards
//	/dev/sandbox/sbp/{ref}             the choice of a bank, and the bank's program
//	/dev/sandbox/phone                 what SberPay asks of a phone; ?id= is a payment's id
//	/dev/sandbox/wallet/{ref}          the sheet of a wallet
//	/dev/sandbox/cards.json            the test cards
//	/dev/sandbox/payments.json         the last payments; ?id= is a payment's id
package sandbox
