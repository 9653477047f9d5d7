import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { makePageData } from '@/testing/fixtures';
import { App } from './app';
import type { PageData } from './page-data';
import { createQueryClient, seedQueries } from './query-client';
import { preloadRoute } from './routes';

function pageOf(data: PageData, serverPath?: string) {
  const client = createQueryClient();
  seedQueries(client, data);
  return <App data={data} client={client} serverPath={serverPath} />;
}

describe('the document of the server', () => {
  it.each([
    ['root', '/'],
    ['home', '/berlin'],
  ] as const)('hydrates as %s without a change and without a request', async (page, path) => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    const data = makePageData({ page, path });
    await preloadRoute(path);
    history.replaceState(null, '', path);
    const root = document.createElement('div');
    root.innerHTML = renderToString(pageOf(data, path));
    const html = root.innerHTML;
    expect(root.querySelector('h1')?.textContent).toBeTruthy();
    const onRecoverableError = vi.fn();
    // A request would fail the test: nothing answers it.
    const mounted = await act(() => hydrateRoot(root, pageOf(data), { onRecoverableError }));
    expect(onRecoverableError).not.toHaveBeenCalled();
    expect(root.innerHTML).toBe(html);
    act(() => mounted.unmount());
    vi.unstubAllGlobals();
  });
});
