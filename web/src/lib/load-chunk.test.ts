import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadChunk } from './load-chunk';

/** The outcome of each link that is put into the document, in order; all later ones load. */
let fates: ('loads' | 'fails')[] = [];
const asked: string[] = [];
const lost = vi.fn();
const hear = ({ payload }: Event & { payload?: unknown }) => lost(payload);

beforeEach(() => {
  vi.useFakeTimers();
  fates = [];
  asked.length = 0;
  lost.mockReset();
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const link of nodes as HTMLLinkElement[]) {
      asked.push(link.getAttribute('href') ?? '');
      const fate = fates.shift() ?? 'loads';
      queueMicrotask(() => link.dispatchEvent(new Event(fate === 'loads' ? 'load' : 'error')));
    }
  });
  addEventListener('vite:preloadError', hear);
});

afterEach(() => {
  removeEventListener('vite:preloadError', hear);
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
    expect(asked).toEqual(['/once.js', '/once.css']);
    expect(lost).not.toHaveBeenCalled();
  });

  it('is requested again at once when the network loses it, and once more after a moment, without a report', async () => {
    const module = makeModule(2);
    const loading = loadChunk(module);
    await vi.advanceTimersByTimeAsync(0);
    expect(module).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1500);
    expect(await loading).toBe('part');
    expect(module).toHaveBeenCalledTimes(3);
    expect(lost).not.toHaveBeenCalled();
  });

  it('waits for a style that loads at the second attempt', async () => {
    fates = ['fails'];
    const module = makeModule();
    const loading = loadChunk(module, ['late.css']);
    await vi.advanceTimersByTimeAsync(0);
    expect(await loading).toBe('part');
    expect(asked).toEqual(['/late.css', '/late.css']);
    expect(module).toHaveBeenCalledOnce();
  });

  it('is reported as lost after three attempts, and requested again the next time', async () => {
    const module = makeModule(3);
    const refused = expect(loadChunk(module)).rejects.toThrow('lost');
    await vi.advanceTimersByTimeAsync(1500);
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
