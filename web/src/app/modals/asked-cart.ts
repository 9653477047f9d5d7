import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useCityAlias } from '@/entities/city/context';
import { matchesDesktop } from '@/ui/hooks/use-desktop';

/**
 * Opens the cart that the address of a city's page asks for with `?modal=cart`, or with `?view=cart`
 * where no cart stands beside the menu. The page itself stays before the cart in the history, so that
 * Back leads to it.
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

const asksForCart = (query: URLSearchParams): boolean =>
  query.get('modal') === 'cart' || (query.get('view') === 'cart' && !matchesDesktop());
