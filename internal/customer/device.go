package customer

import "strings"

// deviceName is a part of a User-Agent and the name of the browser or system that it stands for.
// The first that is found counts, because most browsers also name those that they resemble.
type deviceName struct{ part, name string }

var browsers = []deviceName{
	{"YaBrowser/", "Yandex Browser"},
	{"SamsungBrowser/", "Samsung Internet"},
	{"MiuiBrowser/", "Mi Browser"},
	{"UCBrowser/", "UC Browser"},
	{"OPR/", "Opera"},
	{"OPT/", "Opera"},
	{"Opera", "Opera"},
	{"Vivaldi/", "Vivaldi"},
	{"EdgA/", "Edge"},
	{"EdgiOS/", "Edge"},
	{"Edg/", "Edge"},
	{"DuckDuckGo/", "DuckDuckGo"},
	{"FxiOS/", "Firefox"},
	{"Firefox/", "Firefox"},
	{"CriOS/", "Chrome"},
	{"Chrome/", "Chrome"},
	{"Safari/", "Safari"},
}

var systems = []deviceName{
	{"iPhone", "iPhone"},
	{"iPad", "iPad"},
	{"Android", "Android"},
	{"HarmonyOS", "HarmonyOS"},
	{"Windows", "Windows"},
	{"CrOS", "ChromeOS"},
	{"Macintosh", "macOS"},
	{"Linux", "Linux"},
}

// DeviceOf returns the browser and the system of a User-Agent, for example "Chrome, Android"; empty
// when it recognizes neither. Versions are left out, because they would make people identifiable.
func DeviceOf(userAgent string) string {
	var parts []string
	for _, list := range [][]deviceName{browsers, systems} {
		for _, n := range list {
			if strings.Contains(userAgent, n.part) {
				parts = append(parts, n.name)
				break
			}
		}
	}
	return strings.Join(parts, ", ")
}
