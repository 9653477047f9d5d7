package login

import "net/netip"

// networkOf gives the network that an address is counted with: its /24, or /64 for IPv6;
// empty for what is no address.
func networkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	ip = ip.Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 24
	}
	network, err := ip.Prefix(bits)
	if err != nil {
		return ""
	}
	return network.String()
}
