package sber

import "servery/internal/pay"

// timedOut is the action code of a session that ran out.
const timedOut = -2007

// reasons are action codes. Those that are missing read as refused by the bank, which is
// true of all of them.
var reasons = map[int]pay.Reason{
	timedOut: pay.Expired,
	-2006:    pay.ThreeDSFailed,
	-2011:    pay.ThreeDSFailed,
	-2012:    pay.Restricted,
	-2013:    pay.LimitExceeded,
	-2016:    pay.ThreeDSFailed,
	-2018:    pay.BankAway,
	-2019:    pay.ThreeDSFailed,
	-20010:   pay.LimitExceeded,
	100:      pay.Restricted,
	101:      pay.CardExpiry,
	104:      pay.Restricted,
	106:      pay.LimitExceeded,
	110:      pay.Refused,
	111:      pay.CardNumber,
	116:      pay.InsufficientFunds,
	119:      pay.Restricted,
	120:      pay.Restricted,
	121:      pay.LimitExceeded,
	123:      pay.LimitExceeded,
	125:      pay.CardNumber,
	208:      pay.Restricted,
	209:      pay.Restricted,
	902:      pay.BankAway,
	903:      pay.LimitExceeded,
	907:      pay.BankAway,
	909:      pay.BankAway,
	71015:    pay.CardNumber,
	151017:   pay.ThreeDSFailed,
	341014:   pay.BankAway,
}

// reason of an action code; 0 and -100, no try yet, are none.
func reason(code int) pay.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	return pay.BankDeclined
}
