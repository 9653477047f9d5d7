import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useOwnDocument } from './use-own-document';

const reload = vi.fn();

/** Makes the browser report that the tab's document was loaded from the address `name`. */
function mockDocumentAddress(name: string) {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ name } as PerformanceEntry]);
}

beforeEach(() => {
  reload.mockReset();
  vi.spyOn(location, 'reload').mockImplementation(reload);
});
afterEach(() => vi.unstubAllGlobals());

it('is shown in the payment’s own document in a browser that has no URL.canParse', () => {
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override canParse = undefined as never;
    },
  );
  mockDocumentAddress('https://sushi.example/moscow/order/payment/key-1');
  const { result } = renderHook(useOwnDocument);
  expect(result.current).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});

it('loads a document for the payment where that of another page is shown', () => {
  mockDocumentAddress('https://sushi.example/moscow/cart');
  const { result } = renderHook(useOwnDocument);
  expect(result.current).toBe(false);
  expect(reload).toHaveBeenCalledOnce();
});

it('stays where the browser names no address of its document', () => {
  mockDocumentAddress('document');
  const { result } = renderHook(useOwnDocument);
  expect(result.current).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});
