/** The catalogues, each with the folders whose texts it has. Every screen is in one of them. */
export const groups = {
  /** Loaded with the first page: the frame, texts of many screens, and the screens that home loads. */
  first: ['app', 'ui', 'entities', 'screens/home', 'screens/promo', 'screens/search'],
  /** Loaded once the first page has loaded. */
  late: ['screens/consent', 'screens/marketing', 'screens/offline'],
  place: ['screens/place', 'screens/cities'],
  product: ['screens/product', 'screens/allergens'],
  checkout: ['screens/checkout'],
  login: ['screens/login'],
  payment: ['screens/payment', 'screens/payment-return'],
  tracking: ['screens/tracking'],
  profile: ['screens/profile', 'screens/bonus'],
  feedback: ['screens/feedback'],
  words: ['screens/words'],
} as const satisfies Record<string, readonly string[]>;

/** The name of a catalogue. */
export type Group = keyof typeof groups;

/** All catalogues except the first page's. */
export const laterGroups = (Object.keys(groups) as Group[]).filter((group) => group !== 'first');

/** Returns the catalogue that has the texts of a screen. Throws for a screen that is in none. */
export function groupOf(screen: string): Group {
  for (const [group, folders] of Object.entries(groups)) {
    if ((folders as readonly string[]).includes(`screens/${screen}`)) return group as Group;
  }
  throw new Error(`no catalogue has the texts of ${screen}`);
}
