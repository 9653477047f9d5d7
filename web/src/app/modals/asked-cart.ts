import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useCityAlias } from '@/entities/city/context';
import { matchesDesktop } from '@/ui/hooks/use-desktop';

/**
 * Opens the cart's page for `?modal=cart` in the address of a city's page, or for `?view=cart` on a phone, where
 * no cart is beside the menu. It removes the parameters from the entry of the page, so that Back leads to the
 * page.
 */
export function useAskedCart(): void {
  const alias = useCityAlias();
  const [, navigate] = useLocation();
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    if (alias === null || !asksForCart(query)) return;
    const page = `/${alias}/cart`;
    const cart = query.get('step') === '2' ? `${page}?step=2` : page;
    if (location.pathname === page) return navigate(cart, { replace: true });
    for (const name of ['modal', 'view', 'step']) query.delete(name);
    const rest = query.toString();
    navigate(rest ? `${location.pathname}?${rest}` : location.pathname, { replace: true });
    navigate(cart);
  }, [alias, navigate]);
}

/** Reports whether a query asks to open the cart's page on this device. */
const asksForCart = (query: URLSearchParams): boolean =>
  query.get('modal') === 'cart' || (query.get('view') === 'cart' && !matchesDesktop());
