import { removeInTab } from '@/lib/storage';

/** Returns the notice that the server has put into the document, until the page starts. */
const findNotice = () => document.getElementById('start-notice');

/** Where start-watch.js counts how often it has loaded the page again in this tab. */
const reloadsKey = 'start.reloads';

/** Removes the notice, because the page has started, and resets the count of reloads. */
export function removeStartNotice(): void {
  findNotice()?.remove();
  removeInTab(reloadsKey);
}

/** Shows the notice at once, because the page cannot start. */
export function showStartNotice(): void {
  findNotice()?.removeAttribute('hidden');
}

/** Asks start-watch.js to load the page again, because a part of the start was lost. Returns whether it does. */
export function reloadLostStart(): boolean {
  return !dispatchEvent(new Event('start-lost', { cancelable: true }));
}

/**
 * Returns a function that presses once more the last button that was pressed before the page could answer, unless it
 * is gone, or the visitor has pressed something since. Must be called when presses begin to be answered, the function
 * when the whole document has hydrated.
 */
export function takeEarlyPress(): () => void {
  dispatchEvent(new Event('start-answers'));
  const button = document.querySelector<HTMLButtonElement>('button[data-pressed-early]');
  let isAwaited = true;
  const forget = () => {
    isAwaited = false;
    button?.removeAttribute('data-pressed-early');
  };
  addEventListener('click', forget, { capture: true, once: true });
  return () => {
    if (!isAwaited) return;
    removeEventListener('click', forget, { capture: true });
    forget();
    if (button?.isConnected) button.click();
  };
}
