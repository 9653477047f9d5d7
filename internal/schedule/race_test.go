//go:build race

package schedule

// hoursApart leaves most hours out beside the race detector, which makes each cost six times
// as much and finds nothing in rules that share nothing. With seven every hour of a day comes.
const hoursApart = 7
