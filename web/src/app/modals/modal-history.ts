import type { Store } from '@/lib/store';
import { depthOf, type ModalState } from '@/ui/modals/modal-state';
import { closeModalsTo } from '@/ui/modals/modal-store';

/** Returns how many modals were open when the state of a history entry was written. */
const depthAt = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'modalDepth' in state
    ? Number(state.modalDepth) || 0
    : 0;

/** Returns how many modals were open when the current history entry was written. */
export const historyDepth = () => depthAt(history.state);

/** Whether the browser is going back over the entries of closed modals, which takes a moment. */
let traversing = false;
/** The acts that wait until the history is at rest. */
let waiting: (() => void)[] = [];

/**
 * Runs `act` when the history is at rest: at once, or after the browser has gone back over the
 * entries of closed modals. An entry that is added before that would be lost on the way back.
 */
export function whenHistoryRests(act: () => void): void {
  if (traversing) waiting = [...waiting, act];
  else act();
}

/**
 * Adds an entry to the browser's history for each open modal, so that Back closes it, and goes back over the
 * entries of modals that close in another way. When the last modal has closed, it removes a query that opened it
 * and restores the scroll position. Returns a function that ends this.
 */
export function connectModalsToHistory(store: Store<ModalState>): () => void {
  // After a reload the browser remembers the entry, but the modal is gone.
  if (historyDepth() > 0) history.replaceState(null, '');
  traversing = false;
  let isOpen = false;
  let scrollBefore = 0;

  /** Brings the history to the depth of the open modals. Waits while the browser is going back. */
  function follow() {
    const depth = depthOf(store.get());
    if (depth > 0 && !isOpen) {
      isOpen = true;
      scrollBefore = window.scrollY;
    }
    if (traversing) return;
    if (depth < historyDepth()) {
      goBack(historyDepth() - depth);
      return;
    }
    runWaiting();
    for (let step = historyDepth() + 1; step <= depth; step++)
      history.pushState({ modalDepth: step }, '');
    if (depth === 0) isOpen = false;
  }

  function runWaiting() {
    const acts = waiting;
    waiting = [];
    for (const act of acts) act();
  }

  function goBack(entries: number) {
    traversing = true;
    history.go(-entries);
  }

  function onPopState() {
    const entry = historyDepth();
    const depth = depthOf(store.get());
    // Whether this is the end of our own goBack, and not a press of Back or Forward.
    const wasOurs = traversing;
    traversing = false;
    if (!wasOurs && entry > depth) {
      // An entry of a modal that has been closed: pass over it.
      goBack(entry - depth);
      return;
    }
    // During our goBack another modal may have been opened: then the depth is above 0.
    const haveAllClosed = isOpen && entry === 0 && (!wasOurs || depth === 0);
    if (haveAllClosed) restorePage();
    if (!wasOurs && entry < depth) closeModalsTo(entry);
    follow();
  }

  /** Removes the query of the modal and restores the scroll position. */
  function restorePage() {
    // A query without `modal` belongs to the page and stays. From a query with `modal` only the checkout's step stays.
    const query = new URLSearchParams(location.search);
    if (query.has('modal')) {
      const step = query.get('step');
      const kept = step ? `?${new URLSearchParams({ step })}` : '';
      history.replaceState(null, '', location.pathname + kept + location.hash);
    }
    if (scrollBefore !== window.scrollY)
      window.scrollTo({ top: scrollBefore, behavior: 'instant' });
  }

  const stop = store.subscribe(follow);
  window.addEventListener('popstate', onPopState);
  follow();
  return () => {
    stop();
    waiting = [];
    window.removeEventListener('popstate', onPopState);
  };
}
