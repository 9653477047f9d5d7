import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadChunk } from './load-chunk';

/** The outcomes of the next links that are added to the document; all later ones load. */
let outcomes: ('loads' | 'fails')[] = [];
const requested: string[] = [];
const lost = vi.fn();
const onPreloadError = ({ payload }: Event & { payload?: unknown }) => lost(payload);

beforeEach(() => {
  vi.useFakeTimers();
  outcomes = [];
  requested.length = 0;
  lost.mockReset();
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const link of nodes as HTMLLinkElement[]) {
      requested.push(link.getAttribute('href') ?? '');
      const fate = outcomes.shift() ?? 'loads';
      queueMicrotask(() => link.dispatchEvent(new Event(fate === 'loads' ? 'load' : 'error')));
    }
  });
  addEventListener('vite:preloadError', onPreloadError);
});

afterEach(() => {
  removeEventListener('vite:preloadError', onPreloadError);
  document.head.innerHTML = '';
  vi.useRealTimers();
});

/** Returns a module that fails so many times before it loads. */
function makeModule(failures = 0) {
  const load = vi.fn(async () => 'part');
  for (let i = 0; i < failures; i += 1) load.mockRejectedValueOnce(new TypeError('lost'));
  return load;
}

describe('a chunk', () => {
  it('is loaded with its files, each of which is requested once', async () => {
    document.head.innerHTML = '<link rel="modulepreload" href="/there.js">';
    const files = ['once.js', 'there.js', 'once.css'];
    expect(await loadChunk(makeModule(), files)).toBe('part');
    expect(await loadChunk(makeModule(), files)).toBe('part');
    expect(requested).toEqual(['/once.js', '/once.css']);
    expect(lost).not.toHaveBeenCalled();
  });

  it('is requested again at once when the network loses it, and then after longer and longer pauses, without a report', async () => {
    const module = makeModule(3);
    const loading = loadChunk(module);
    await vi.advanceTimersByTimeAsync(0);
    expect(module).toHaveBeenCalledTimes(2);
    for (const [before, pause] of [500, 1500].entries()) {
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(module).toHaveBeenCalledTimes(2 + before);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(await loading).toBe('part');
    expect(module).toHaveBeenCalledTimes(4);
    expect(lost).not.toHaveBeenCalled();
  });

  it('waits for a style that loads at the second attempt', async () => {
    outcomes = ['fails'];
    const module = makeModule();
    const loading = loadChunk(module, ['late.css']);
    await vi.advanceTimersByTimeAsync(0);
    expect(await loading).toBe('part');
    expect(requested).toEqual(['/late.css', '/late.css']);
    expect(module).toHaveBeenCalledOnce();
  });

  it('is reported as lost after four attempts, and requested again the next time', async () => {
    const module = makeModule(4);
    const refused = expect(loadChunk(module)).rejects.toThrow('lost');
    await vi.advanceTimersByTimeAsync(2000);
    await refused;
    expect(lost).toHaveBeenCalledOnce();
    expect(await loadChunk(module)).toBe('part');
  });

  it('is requested once more and then reported where there is no network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const module = makeModule(2);
    await expect(loadChunk(module)).rejects.toThrow('lost');
    expect(module).toHaveBeenCalledTimes(2);
    expect(lost).toHaveBeenCalledOnce();
  });
});
