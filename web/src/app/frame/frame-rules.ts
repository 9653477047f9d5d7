/** Which parts of the frame a page has. */
export interface Frame {
  /** The bar at the bottom of phones that leads to the other pages. */
  navigation: boolean;
  /** The bar with the cart's total above it. */
  cartBar: boolean;
}

const quiet: Frame = { navigation: false, cartBar: false };

/** Where an order is being made, nothing leads away from it; elsewhere in a city everything is at hand. */
export function frameOf(pathname: string, inCity: boolean): Frame {
  if (!inCity) return quiet;
  const [, section] = pathname.split('/').filter(Boolean);
  if (section === 'cart' || section === 'order') return quiet;
  return { navigation: true, cartBar: true };
}
