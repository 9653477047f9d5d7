package customer

import "strings"

// named is what a User-Agent says, and what that is called. The first that is found counts:
// most browsers also name those that they resemble.
type named struct{ says, name string }

var browsers = []named{
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

var systems = []named{
	{"iPhone", "iPhone"},
	{"iPad", "iPad"},
	{"Android", "Android"},
	{"HarmonyOS", "HarmonyOS"},
	{"Windows", "Windows"},
	{"CrOS", "ChromeOS"},
	{"Macintosh", "macOS"},
	{"Linux", "Linux"},
}

// DeviceOf names the browser and the system of a User-Agent, for example "Chrome, Android";
// empty when it knows neither. Versions are left out: they would tell people apart.
func DeviceOf(userAgent string) string {
	var parts []string
	for _, list := range [][]named{browsers, systems} {
		for _, n := range list {
			if strings.Contains(userAgent, n.says) {
				parts = append(parts, n.name)
				break
			}
		}
	}
	return strings.Join(parts, ", ")
}
