import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseScript, walk } from '../../../scripts/floor/syntax-tree';
import {
  reloadLostStart,
  removeStartNotice,
  showStartNotice,
  takeEarlyPress,
} from './start-notice';

const source = readFileSync('src/app/start/start-watch.js', 'utf8');
const isShown = () => document.getElementById('start-notice')?.hidden === false;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div id="start-notice" hidden>It did not start.</div>';
});
afterEach(() => {
  dispatchEvent(new Event('start-answers'));
  for (const listener of added.splice(0)) window.removeEventListener(...listener);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const added: Parameters<typeof window.removeEventListener>[] = [];

describe('a button that is pressed before the page answers', () => {
  it('is seen to be pressed, and is pressed once more when the page answers', () => {
    runWatch();
    document.body.innerHTML = '<button>Dish</button><button><b>Address</b></button>';
    const [dish, address] = document.querySelectorAll('button');
    const onPress = vi.fn();
    dish?.click();
    address?.querySelector('b')?.click();
    address?.click();
    expect([dish, address].map((button) => button?.hasAttribute('data-pressed-early'))).toEqual([
      false,
      true,
    ]);
    address?.addEventListener('click', onPress);
    dish?.addEventListener('click', () => expect.unreachable('the dish was not pressed last'));
    takeEarlyPress()();
    expect(onPress).toHaveBeenCalledOnce();
    expect(document.querySelector('[data-pressed-early]')).toBeNull();
  });

  it('is not pressed again after another press, which the page has answered', () => {
    runWatch();
    document.body.innerHTML = '<button>Dish</button>';
    const dish = document.querySelector('button');
    dish?.click();
    const pressAgain = takeEarlyPress();
    const onPress = vi.fn();
    dish?.addEventListener('click', onPress);
    dish?.click();
    pressAgain();
    expect(onPress).toHaveBeenCalledOnce();
    expect(document.querySelector('[data-pressed-early]')).toBeNull();
  });

  it('is not pressed again where it is gone, or where the page answered it', () => {
    runWatch();
    document.body.innerHTML = '<button>Dish</button>';
    const dish = document.querySelector('button');
    dish?.click();
    const pressAgain = takeEarlyPress();
    dish?.remove();
    const onPress = vi.fn();
    dish?.addEventListener('click', onPress);
    pressAgain();
    expect(onPress).not.toHaveBeenCalled();
    document.body.innerHTML = '<button>Address</button>';
    document.querySelector('button')?.click();
    expect(document.querySelector('[data-pressed-early]')).toBeNull();
  });
});

/** Runs the script as the document does. The end of the test removes its listeners. */
function runWatch() {
  const listening = vi.spyOn(window, 'addEventListener');
  new Function(source)();
  added.push(...(listening.mock.calls as typeof added));
  listening.mockRestore();
}

describe('the notice of a page that does not start', () => {
  it('is shown eight seconds after everything was loaded, and not before', () => {
    runWatch();
    window.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(7999);
    expect(isShown()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isShown()).toBe(true);
  });

  it('is shown after half a minute where something is never loaded', () => {
    runWatch();
    vi.advanceTimersByTime(29_999);
    expect(isShown()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isShown()).toBe(true);
  });

  it('is gone for good once the page has started', () => {
    runWatch();
    window.dispatchEvent(new Event('load'));
    removeStartNotice();
    vi.advanceTimersByTime(60_000);
    expect(document.getElementById('start-notice')).toBeNull();
  });

  it('is shown at once where the page knows that it cannot start', () => {
    showStartNotice();
    expect(isShown()).toBe(true);
  });

  it('is shown where a part of the start was lost for the third time, and the page is loaded again before', () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    runWatch();
    const loseScript = (type: string) => {
      const script = document.createElement('script');
      script.type = type;
      document.body.append(script);
      script.dispatchEvent(new Event('error'));
    };
    loseScript('text/javascript');
    expect(reload).not.toHaveBeenCalled();
    loseScript('module');
    expect(reloadLostStart()).toBe(true);
    expect(reload).toHaveBeenCalledTimes(2);
    expect(isShown()).toBe(false);
    expect(reloadLostStart()).toBe(false);
    loseScript('module');
    expect(reload).toHaveBeenCalledTimes(2);
    expect(isShown()).toBe(true);
  });

  it('is not needed again after a start: the next lost part loads the page again', () => {
    sessionStorage.setItem('start.reloads', '2');
    removeStartNotice();
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    runWatch();
    expect(reloadLostStart()).toBe(true);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is shown by a script that browsers of 2009 can run', () => {
    const newer = /Arrow|Template|Class|Spread|Pattern|Await|Yield|Import|Export|Chain/;
    const kinds = new Set<string>();
    walk(parseScript(source).program, ({ type, kind }) => kinds.add(`${type} ${kind ?? ''}`));
    expect([...kinds].filter((kind) => newer.test(kind) || /let|const/.test(kind))).toEqual([]);
  });
});
