import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Picture } from './picture';

afterEach(() => {
  vi.unstubAllGlobals();
});

const picture = {
  src: '/assets/roll.jpg',
  width: 600,
  height: 600,
  sources: [{ type: 'image/avif', srcset: '/assets/roll.avif 600w' }],
};

/**
 * Renders a picture that the browser has not loaded yet, away from the view, inside of an element of the class; `comeNear`
 * scrolls near what is watched.
 */
async function renderLoading(inside = '') {
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false);
  const watched: Element[] = [];
  let report: IntersectionObserverCallback = () => undefined;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        report = callback;
      }
      observe = (element: Element) => void watched.push(element);
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.resetModules();
  const { Picture: FreshPicture } = await import('./picture');
  render(
    <div className={inside}>
      <FreshPicture picture={picture} alt="Roll" shape="card" />
    </div>,
  );
  const comeNear = () => {
    const [target] = watched;
    if (!target) throw new Error('the picture is not watched');
    const entry = { isIntersecting: true, target } as unknown as IntersectionObserverEntry;
    act(() => report([entry], new IntersectionObserver(() => undefined)));
  };
  return { image: screen.getByRole('img', { name: 'Roll' }), watched, comeNear };
}

it('a picture that is loading keeps its room, then fades in', async () => {
  const { image, comeNear } = await renderLoading();
  expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['600', '600']);
  comeNear();
  expect(image.className).not.toContain('appear');
  fireEvent.load(image);
  expect(image.className).toContain('appear');
});

it('a picture that is not near is not loaded on phones, until it comes near', async () => {
  const { image, comeNear } = await renderLoading();
  expect(image.className).toContain('unloaded');
  comeNear();
  expect(image.className).not.toContain('unloaded');
});

it('a picture that fails to load becomes the empty plate with the same name', async () => {
  fireEvent.error((await renderLoading()).image);
  const plate = screen.getByRole('img', { name: 'Roll' });
  expect(plate.tagName).toBe('SPAN');
  expect(plate.querySelector('svg')).toBeTruthy();
});

it('a dish without a picture has the empty plate, which a screen reader skips where the name stands beside it', () => {
  const { container } = render(<Picture picture={undefined} alt="" shape="card" />);
  expect(container.querySelector('img')).toBeNull();
  expect(container.firstElementChild?.getAttribute('aria-hidden')).toBe('true');
});

it('the picture of a dish that is not laid out yet comes near with the dish, whose box is known', async () => {
  const { image, watched, comeNear } = await renderLoading('drawn-near');
  expect(watched.map((element) => element.className)).toEqual(['drawn-near']);
  comeNear();
  expect(image.className).not.toContain('unloaded');
});
