package acquiring

// Accounts are the acquirers of each brand by the name of the account, which content
// refers to and callbacks come to. A brand may have several accounts with one acquirer.
type Accounts map[string]map[string]Acquirer

// FindAcquirer returns the acquirer of an account of a brand, and false when there is none.
func (a Accounts) FindAcquirer(site, account string) (Acquirer, bool) {
	acquirer, ok := a[site][account]
	return acquirer, ok
}
