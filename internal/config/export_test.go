package config

// CheckLimits returns an error when the limits must not be those of a release.
var CheckLimits = checkLimits
