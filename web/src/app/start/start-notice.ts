/** Returns the notice that the server has put into the document, until the page starts. */
const notice = () => document.getElementById('start-notice');

/** Takes the notice away for good: the page has started. */
export function removeStartNotice(): void {
  notice()?.remove();
}

/** Shows the notice at once: the page cannot start. */
export function showStartNotice(): void {
  notice()?.removeAttribute('hidden');
}
