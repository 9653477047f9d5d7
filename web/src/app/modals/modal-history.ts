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

/** Whether the browser is on its way back over the entries of closed modals, which takes it a moment. */
let traversing = false;
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
 * Adds an entry for each open modal in the browser's history, so that Back closes it, and takes the
 * entries away when modals close in another way. When the last one has closed, a query that opened it is
 * cleared and the page returns to its scroll position. Returns a function that ends this.
 */
export function connectModalsToHistory(store: Store<ModalState>): () => void {
  // After a reload the browser remembers the entry, but the modal is gone.
  if (historyDepth() > 0) history.replaceState(null, '');
  traversing = false;
  let isOpen = false;
  let scrollBefore = 0;

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

  function restorePage() {
    // A query without `modal` belongs to the page and stays. Of another one only the checkout's step stays.
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
