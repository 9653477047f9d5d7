import { act, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { contentId, usePageScroll } from './use-page-scroll';

function Page() {
  usePageScroll();
  return <div id={contentId} tabIndex={-1} />;
}

const scrolled = vi.fn();

/** Goes to an address as Back does: the address changes, then `popstate` is dispatched. */
const traverse = (to: string) =>
  act(() => {
    history.replaceState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  });

describe('a page that a link led to', () => {
  beforeEach(() => {
    scrolled.mockClear();
    vi.stubGlobal('scrollTo', scrolled);
    history.replaceState(null, '', '/berlin');
    render(<Page />);
  });

  it('begins at its top', () => {
    act(() => navigate('/berlin/cart'));
    expect(scrolled).toHaveBeenCalledOnce();
    expect(document.activeElement?.id).toBe(contentId);
  });

  it('is scrolled to where it was left, on the way back', () => {
    vi.stubGlobal('scrollY', 900);
    dispatchEvent(new Event('scroll'));
    act(() => navigate('/berlin/cart'));
    scrolled.mockClear();
    traverse('/berlin');
    expect(scrolled.mock.calls).toEqual([[{ top: 900, behavior: 'instant' }]]);
  });

  it('is left where the browser scrolls it, on the way back to a page that was not scrolled', () => {
    act(() => navigate('/berlin/cart'));
    scrolled.mockClear();
    traverse('/berlin');
    expect(scrolled).not.toHaveBeenCalled();
  });

  it('begins at its top after a modal was closed before it', () => {
    traverse('/berlin');
    act(() => navigate('/berlin/order/1/tracking'));
    expect(scrolled).toHaveBeenCalledOnce();
  });
});
