package catalog

// AwaitPopular waits until all that was asked for in the background is answered.
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
