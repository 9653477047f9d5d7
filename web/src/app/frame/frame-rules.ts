/** Which parts of the frame a page has. */
export interface Frame {
  /** The bar at the bottom of phones that leads to the other pages. */
  navigation: boolean;
  /** The bar with the cart's total above it. */
  cartBar: boolean;
  /** Whether the frame has only the brand, the phone to call and the company that sells. */
  isSlim: boolean;
}

const withoutBars: Frame = { navigation: false, cartBar: false, isSlim: false };

/** Returns the frame of a page: without bars outside of a city, in the cart and in an order; slim on the payment page. */
export function frameOf(pathname: string, inCity: boolean): Frame {
  if (!inCity) return withoutBars;
  const [, section, part] = pathname.split('/').filter(Boolean);
  if (section === 'order' && part === 'payment') return { ...withoutBars, isSlim: true };
  if (section === 'cart' || section === 'order') return withoutBars;
  return { navigation: true, cartBar: true, isSlim: false };
}
