import { render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Route, Router, useLocation } from 'wouter';
import { CityProvider } from '@/entities/city/context';
import { useAskedCart } from './asked-cart';

/** The page of the address, with the browser's own history. */
function Page() {
  const [location] = useLocation();
  useAskedCart();
  return <h1>{location}</h1>;
}

/** Renders the page of an address on a phone or a desktop; `added` counts the new history entries. */
function openPage(address: string, { isDesktop = false } = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: isDesktop }));
  history.replaceState(null, '', address);
  const entries = history.length;
  render(
    <Router>
      <Route path="/:city/*?">
        <CityProvider alias="berlin">
          <Page />
        </CityProvider>
      </Route>
    </Router>,
  );
  return { added: () => history.length - entries };
}

/** Waits until the page of the address is shown. */
const shows = (address: string) => screen.findByRole('heading', { name: address });

afterEach(() => vi.unstubAllGlobals());

describe('the cart in an address', () => {
  it('opens with modal=cart, and Back leads to the page without the question', async () => {
    const { added } = openPage('/berlin/shops?modal=cart&utm_source=letter');
    await shows('/berlin/cart');
    expect(added()).toBe(1);
    const left = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await left;
    await shows('/berlin/shops');
    expect(location.search).toBe('?utm_source=letter');
  });

  it('opens at its second step where the address says so', async () => {
    openPage('/berlin?modal=cart&step=2');
    await shows('/berlin/cart');
    expect(location.search).toBe('?step=2');
  });

  it('opens with view=cart on phones alone', async () => {
    openPage('/berlin?view=cart');
    await shows('/berlin/cart');
  });

  it('stays beside the menu with view=cart on desktop', async () => {
    const { added } = openPage('/berlin?view=cart', { isDesktop: true });
    await shows('/berlin');
    expect(added()).toBe(0);
  });

  it('adds no history entry on its own page', async () => {
    const { added } = openPage('/berlin/cart?modal=cart');
    await shows('/berlin/cart');
    expect(added()).toBe(0);
    expect(location.search).toBe('');
  });
});
