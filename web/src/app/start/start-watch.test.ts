import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseScript, walk } from '../../../scripts/floor/syntax-tree';
import { removeStartNotice, showStartNotice } from './start-notice';

const source = readFileSync('src/app/start/start-watch.js', 'utf8');
const isShown = () => document.getElementById('start-notice')?.hidden === false;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div id="start-notice" hidden>It did not start.</div>';
});
afterEach(() => vi.useRealTimers());

/** Runs the script as the document does. */
const watch = () => new Function(source)();

describe('the notice of a page that does not start', () => {
  it('is shown eight seconds after everything was loaded, and not before', () => {
    watch();
    window.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(7999);
    expect(isShown()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isShown()).toBe(true);
  });

  it('is shown after half a minute where something is never loaded', () => {
    watch();
    vi.advanceTimersByTime(29_999);
    expect(isShown()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isShown()).toBe(true);
  });

  it('is gone for good once the page has started', () => {
    watch();
    window.dispatchEvent(new Event('load'));
    removeStartNotice();
    vi.advanceTimersByTime(60_000);
    expect(document.getElementById('start-notice')).toBeNull();
  });

  it('is shown at once where the page knows that it cannot start', () => {
    showStartNotice();
    expect(isShown()).toBe(true);
  });

  it('is shown by a script that browsers of 2009 can run', () => {
    const newer = /Arrow|Template|Class|Spread|Pattern|Await|Yield|Import|Export|Chain/;
    const kinds = new Set<string>();
    walk(parseScript(source).program, ({ type, kind }) => kinds.add(`${type} ${kind ?? ''}`));
    expect([...kinds].filter((kind) => newer.test(kind) || /let|const/.test(kind))).toEqual([]);
  });
});
