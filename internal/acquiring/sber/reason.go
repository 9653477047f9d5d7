package sber

import "servery/internal/acquiring"

// timedOut is the action code of a session that ran out.
const timedOut = -2007

// reasons are action codes. Those that are missing read as refused by the bank, which is
// true of all of them.
var reasons = map[int]acquiring.Reason{
	timedOut: acquiring.Expired,
	-2006:    acquiring.ThreeDSFailed,
	-2011:    acquiring.ThreeDSFailed,
	-2012:    acquiring.Restricted,
	-2013:    acquiring.LimitExceeded,
	-2016:    acquiring.ThreeDSFailed,
	-2018:    acquiring.BankAway,
	-2019:    acquiring.ThreeDSFailed,
	-20010:   acquiring.LimitExceeded,
	100:      acquiring.Restricted,
	101:      acquiring.CardExpiry,
	104:      acquiring.Restricted,
	106:      acquiring.LimitExceeded,
	110:      acquiring.Refused,
	111:      acquiring.CardNumber,
	116:      acquiring.InsufficientFunds,
	119:      acquiring.Restricted,
	120:      acquiring.Restricted,
	121:      acquiring.LimitExceeded,
	123:      acquiring.LimitExceeded,
	125:      acquiring.CardNumber,
	208:      acquiring.Restricted,
	209:      acquiring.Restricted,
	902:      acquiring.BankAway,
	903:      acquiring.LimitExceeded,
	907:      acquiring.BankAway,
	909:      acquiring.BankAway,
	71015:    acquiring.CardNumber,
	151017:   acquiring.ThreeDSFailed,
	341014:   acquiring.BankAway,
}

// reasonOf returns the reason for an action code of the gateway, BankDeclined for an unknown
// one.
func reasonOf(code int) acquiring.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	return acquiring.BankDeclined
}
