/** Which parts of the frame a page has. */
export interface Frame {
  /** The bar at the bottom of phones that leads to the other pages. */
  navigation: boolean;
  /** The bar with the cart's total above it. */
  cartBar: boolean;
  /** Nothing stands around the page but whose it is, whom to call and who sells. */
  isSlim: boolean;
}

const quiet: Frame = { navigation: false, cartBar: false, isSlim: false };

/** Returns the frame of a page. Nothing leads away from an order that is being made; elsewhere in a city all is at hand. */
export function frameOf(pathname: string, inCity: boolean): Frame {
  if (!inCity) return quiet;
  const [, section, part] = pathname.split('/').filter(Boolean);
  if (section === 'order' && part === 'payment') return { ...quiet, isSlim: true };
  if (section === 'cart' || section === 'order') return quiet;
  return { navigation: true, cartBar: true, isSlim: false };
}
