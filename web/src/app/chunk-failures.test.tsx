import { act, screen, waitFor } from '@testing-library/react';
import type { Window as HappyWindow } from 'happy-dom';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInCity } from '@/testing/render';
import { server } from '@/testing/server';
import { watchChunks } from '@/ui/feedback/chunk-failures';
import { LazyPart } from '@/ui/feedback/lazy-part';
import { flashes } from '@/ui/flash/flash-store';
import { PageBoundary } from './page-boundary';

const reload = vi.fn();

/** The entry script in the document that the site serves now. */
let served = '/assets/entry-a.js';

beforeAll(() => {
  watchChunks();
  // The script of the page is named, not run.
  const { happyDOM } = window as unknown as HappyWindow;
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;
});
beforeEach(() => {
  served = '/assets/entry-a.js';
  flashes.set([]);
  document.head.innerHTML = '<script type="module" src="/assets/entry-a.js"></script>';
  server.use(
    http.get(location.href, () =>
      HttpResponse.html(`<body><script type="module" src="${served}"></script></body>`),
    ),
  );
  reload.mockReset();
  vi.spyOn(location, 'reload').mockImplementation(reload);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

function Broken({ error }: { error: Error }): never {
  throw error;
}

/** Dispatches the event of a chunk that does not load, and returns the error that its part throws. */
function loseChunk() {
  const error = new TypeError('Failed to fetch dynamically imported module');
  const event = Object.assign(new Event('vite:preloadError'), { payload: error });
  act(() => void window.dispatchEvent(event));
  return error;
}

const words = /Part of the page did not load/;

describe('a chunk that does not load', () => {
  it('is reported with a button that loads the page again', async () => {
    const { user } = renderInCity(<main>menu</main>);
    loseChunk();
    expect(await screen.findByText(words)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  it('loads the page again by itself, once, when the site has another release', async () => {
    served = '/assets/entry-b.js';
    renderInCity(<main>menu</main>);
    loseChunk();
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(screen.queryByText(words)).toBeNull();
    loseChunk(); // the old page came once more
    expect(await screen.findByText(words)).toBeTruthy();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('offers to load the page again where the site cannot be reached', async () => {
    server.use(http.get(location.href, () => HttpResponse.error()));
    renderInCity(<main>menu</main>);
    loseChunk();
    expect(await screen.findByText(words)).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
  });

  it('is reported as a missing network where there is none', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    renderInCity(<main>menu</main>);
    loseChunk();
    expect(screen.getByText(/No connection/)).toBeTruthy();
    expect(screen.queryByText(words)).toBeNull();
  });

  it('does not change the page around it', async () => {
    const error = loseChunk();
    const { user } = renderInCity(
      <PageBoundary>
        <p>menu</p>
        <aside>
          <LazyPart>
            <Broken error={error} />
          </LazyPart>
        </aside>
      </PageBoundary>,
    );
    expect(screen.getByText('menu')).toBeTruthy();
    const cart = screen.getByRole('complementary');
    expect(cart.textContent).toMatch(words);
    await user.click(screen.getAllByRole('button', { name: 'Reload' })[0] as HTMLElement);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('of a page is replaced by a message and a button that reloads the document, since nothing else helps', async () => {
    const error = loseChunk();
    const { user } = renderInCity(
      <PageBoundary>
        <Broken error={error} />
      </PageBoundary>,
    );
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'The page could not be loaded',
    );
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Reload the page' }));
    expect(reload).toHaveBeenCalledOnce();
  });
});

it('an error of another kind is handled by the boundary of the page', () => {
  renderInCity(
    <PageBoundary>
      <LazyPart>
        <Broken error={new Error('a bug')} />
      </LazyPart>
    </PageBoundary>,
  );
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
