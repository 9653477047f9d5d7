package catalog

// AwaitPopular waits until no query for the most ordered products is running.
func (c *Catalog) AwaitPopular() {
	for {
		c.popular.mu.Lock()
		var asking chan struct{}
		for _, entry := range c.popular.cities {
			if entry.loading != nil {
				asking = entry.loading
			}
		}
		c.popular.mu.Unlock()
		if asking == nil {
			return
		}
		<-asking
	}
}
