import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { makeProduct } from '@/testing/fixtures';
import { useKeptHeights } from './tile-heights';

const product = makeProduct();
const products = [product];

function Tiles() {
  return (
    <ul ref={useKeptHeights(products)}>
      <li>{product.name}</li>
    </ul>
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a tile that is not drawn yet has the height that it had before the menu was hidden and left', () => {
  let report: (height: number) => void = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: ResizeObserverCallback) {
        report = (height) => {
          const entry = { target: tile(), contentRect: new DOMRect(0, 0, 390, height) };
          callback([entry as unknown as ResizeObserverEntry], this as unknown as ResizeObserver);
        };
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const { unmount, getByText } = render(<Tiles />);
  const tile = () => getByText(product.name);
  expect(tile().getAttribute('style')).toBeNull();
  report(180.5);
  report(0);
  unmount();
  expect(
    render(<Tiles />)
      .getByText(product.name)
      .getAttribute('style'),
  ).toContain('180.5px');
});
