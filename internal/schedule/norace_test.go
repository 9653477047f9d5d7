//go:build !race

package schedule

// hoursApart looks at every hour.
const hoursApart = 1
