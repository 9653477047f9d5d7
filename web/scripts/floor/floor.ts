/**
 * The oldest browsers that the page supports, by their names in browser-compat-data. README promises them, the build
 * targets them, and the built files are checked against them.
 */
export const floor = {
  safari: 15.4,
  safari_ios: 15.4,
  chrome: 99,
  chrome_android: 99,
  edge: 99,
  samsunginternet_android: 18,
  firefox: 97,
  firefox_android: 97,
} as const;

/** The floor as targets of the build. Samsung Internet 18 is Chrome 99. */
export const buildTarget = [
  `safari${floor.safari}`,
  `ios${floor.safari_ios}`,
  `chrome${floor.chrome}`,
  `edge${floor.edge}`,
  `firefox${floor.firefox}`,
];
