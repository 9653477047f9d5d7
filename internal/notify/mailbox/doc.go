// Package mailbox keeps codes in memory in place of sending them, for development. In a
// release there is nothing of it.
package mailbox
