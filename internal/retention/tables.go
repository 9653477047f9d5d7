package retention

import "time"

const day = 24 * time.Hour

// Table is how long the rows of a table of the database are stored.
type Table struct {
	Name string
	// Term is how long its rows are stored, as text, and Why the reason, where they are stored for
	// good or as long as something else.
	Term, Why string
	// Column is the instant that the term is counted from and Most the term with the time that
	// its sweep may be late by; empty where the term is not counted from a column.
	Column string
	Most   time.Duration
}

// Tables returns the terms of all tables but those of libraries, whose names begin with a prefix
// of [ForeignPrefixes]. A test compares them with the database and with docs/operations.md.
func Tables() []Table {
	return []Table{
		{Name: "access_token", Term: "a year after its end", Column: "expires_at", Most: 366 * day},
		{Name: "asset", Term: "as long as a release has it", Why: "a page that was opened before an upgrade asks for it"},
		{Name: "audit_log", Term: "3 years", Column: "at", Most: 3*365*day + day},
		{Name: "bonus_account", Term: "for good", Why: "the ledger is only added to; an erased customer's account is empty and names no person"},
		{Name: "bonus_entry", Term: "for good", Why: "the ledger is only added to"},
		{Name: "bonus_posting", Term: "for good", Why: "the ledger is only added to; its keys make each happen once"},
		{Name: "cart", Term: "30 days of guests, 90 of customers, after the last change (`terms`)", Column: "updated_at", Most: 91 * day},
		{Name: "change_delivery", Term: "for good", Why: "one row for each brand that has a webhook"},
		{Name: "closing_receipt", Term: "for good", Why: "books of account"},
		{Name: "consent_answer", Term: "as long as the account", Why: "it proves what a customer has agreed to"},
		{Name: "courier_position", Term: "24 hours", Column: "reported_at", Most: 2 * day},
		{Name: "customer", Term: "the person 24 months after they were last seen (`terms`); a row without a person for good", Why: "orders and the ledger point at it"},
		{Name: "customer_export", Term: "24 hours", Column: "exported_at", Most: 2 * day},
		{Name: "delivery_address", Term: "as long as the session of a guest, the account of a customer; the thirty used last", Why: "they are offered again"},
		{Name: "delivery_notice", Term: "until it is sent; 7 days at most", Column: "created_at", Most: 8 * day},
		{Name: "feedback_form", Term: "365 days", Column: "created_at", Most: 366 * day},
		{Name: "hand_refund", Term: "its reason as long as the person of the order; the rest for good", Why: "books of account"},
		{Name: "idempotency", Term: "24 hours; the newest 200 of a session", Column: "created_at", Most: 2 * day},
		{Name: "installation", Term: "for good", Why: "one row that says where the database is at work"},
		{Name: "kitchen_state", Term: "until its end", Why: "one row for each pause and busy time of a shop"},
		{Name: "live_alert", Term: "until its end, or until it is removed", Why: "one row for each city and shop"},
		{Name: "live_price", Term: "until its end, or until it is removed", Why: "one row for each price that is set over the content"},
		{Name: "login_budget", Term: "90 days after the last wrong code", Column: "wrong_at", Most: 91 * day},
		{Name: "login_challenge", Term: "24 hours", Column: "created_at", Most: 2 * day},
		{Name: "login_device", Term: "256 days after its last sign-in", Column: "seen_at", Most: 257 * day},
		{Name: "login_traffic", Term: "7 days", Column: "hour", Most: 8 * day},
		{Name: "order_archive", Term: "as its orders would be in `orders`, whose person and books it has", Why: "orders that are final and past the term of their brand (`archive_months`)"},
		{Name: "order_archive_payment", Term: "as long as its order is archived", Why: "acquirers name a payment"},
		{Name: "order_cache", Term: "24 hours after its deadline", Column: "expires_at", Most: 2 * day},
		{Name: "order_correction", Term: "the person's part, its note and the name of who made it as long as the person of the order; the rest for good", Why: "books of account"},
		{Name: "order_grant", Term: "256 days after it was last asked for", Column: "created_at", Most: 257 * day},
		{Name: "order_line", Term: "for good", Why: "books of account; it names no person"},
		{Name: "order_message", Term: "90 days", Column: "created_at", Most: 91 * day},
		{Name: "order_origin", Term: "7 days", Column: "created_at", Most: 8 * day},
		{Name: "order_status", Term: "its note, its courier and the name of who made it as long as the person of the order; the rest for good", Why: "books of account"},
		{Name: "orders", Term: "the person, their courier and the name of who took it 24 months after the person was last seen (`terms`); the rest for good", Why: "books of account"},
		{Name: "page_asset", Term: "as long as its release", Why: "it goes with it"},
		{Name: "page_release", Term: "14 days after it was last run; the newest three", Why: "one row for each release"},
		{Name: "payment", Term: "the payer as long as the person of the order; the rest for good", Why: "books of account"},
		{Name: "payment_event", Term: "180 days", Column: "at", Most: 181 * day},
		{Name: "picture", Term: "as long as a kept revision or an order shows it", Why: "orders are shown as they were sold"},
		{Name: "picture_variant", Term: "as long as its picture", Why: "it goes with it"},
		{Name: "present", Term: "a year after its end; without an end as long as the account", Column: "expires_at", Most: 366 * day},
		{Name: "push_subscription", Term: "until the last state of the order or the end of the session; 14 days at most", Column: "created_at", Most: 15 * day},
		{Name: "refund", Term: "its reason as long as the person of the order; the rest for good", Why: "books of account"},
		{Name: "revision", Term: "the newest 20", Why: "it can be rolled back to"},
		{Name: "revision_lock", Term: "for good", Why: "one row that is locked"},
		{Name: "sandbox_callback", Term: "for good", Why: "the test bank of development builds"},
		{Name: "sandbox_fault", Term: "for good", Why: "the test bank of development builds"},
		{Name: "sandbox_payment", Term: "for good", Why: "the test bank of development builds"},
		{Name: "sandbox_receipt", Term: "for good", Why: "the test bank of development builds"},
		{Name: "sandbox_refund", Term: "for good", Why: "the test bank of development builds"},
		{Name: "secret", Term: "for good", Why: "one row, without which codes and marks are others"},
		{Name: "session", Term: "256 days after its last use; of a guest without order or saved address 30", Column: "seen_at", Most: 258 * day},
		{Name: "sign_in_link", Term: "until it expires", Column: "expires_at", Most: day},
		{Name: "slot", Term: "48 hours after it began", Column: "starts_at", Most: 3 * day},
		{Name: "slot_hold", Term: "48 hours after its time began", Column: "starts_at", Most: 3 * day},
		{Name: "staff_account", Term: "a year after its removal; its secrets until then", Column: "removed_at", Most: 366 * day},
		{Name: "staff_challenge", Term: "5 minutes", Column: "expires_at", Most: day},
		{Name: "staff_device", Term: "a year after its end; a code that was not used 10 minutes", Column: "ended_at", Most: 366 * day},
		{Name: "staff_failure", Term: "24 hours", Column: "since", Most: 2 * day},
		{Name: "staff_passkey", Term: "as long as its account has secrets", Why: "it goes with them"},
		{Name: "staff_session", Term: "until it ends; 12 hours after its last call, 30 days at most", Column: "expires_at", Most: day},
		{Name: "stock_count", Term: "for good; of a present as long as the present", Why: "what each phone gets once must not come back; phones stand there as marks"},
		{Name: "stock_hold", Term: "90 days after it was confirmed", Column: "confirmed_at", Most: 91 * day},
		{Name: "stock_share", Term: "for good", Why: "16 rows for each promocode of a large limit"},
		{Name: "stop", Term: "until its end", Why: "one row for each thing that is stopped"},
		{Name: "stop_version", Term: "for good", Why: "one row that counts"},
		{Name: "undelivered_place", Term: "365 days", Column: "created_at", Most: 366 * day},
		{Name: "vk_account", Term: "as long as the account", Why: "it signs the customer in"},
		{Name: "vk_pending", Term: "until it expires", Column: "expires_at", Most: day},
		{Name: "vk_sign_in", Term: "until it expires", Column: "expires_at", Most: day},
		{Name: "write_probe", Term: "for good", Why: "one row that readiness writes"},
	}
}

// ForeignPrefixes returns the beginnings of the names of tables that libraries manage. River
// deletes jobs a day after they are done; migrations stay.
func ForeignPrefixes() []string { return []string{"river_", "goose_", "sqlite_"} }
