import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';

/** Reads a file of the page's source, by its path below web/src/app. */
const source = (path: string) => readFileSync(resolve(import.meta.dirname, '../../web/src/app', path), 'utf8');

/** The routes of the page, read from its router, without those for development. */
export const routes: readonly string[] = [
  ...source('routes.tsx').matchAll(/(?:lazyPage\(|path:)\s*'(\/[^']*)'/g),
].flatMap(([, path]) => (path && !path.startsWith('/dev/') ? [path] : []));

/** The names of the page's modals, read from its registry. */
export const modals: readonly string[] = [
  ...source('modals/registry.ts').matchAll(/^ {2}'?([a-z-]+)'?: (?:\{|\w+Entry\()/gm),
].flatMap(([, name]) => (name ? [name] : []));

/** Returns the first route that an address matches, as the router does. */
function routeOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  return routes.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
}

/** Records the pages and modals that a context shows, the calls that it makes, and the statuses of refusals. */
export class Visits {
  private readonly seen = new Set<string>();

  /** Begins to record. It must be called before the context opens its first page. */
  static async begin(context: BrowserContext): Promise<Visits> {
    const visits = new Visits();
    context.on('page', (page) => visits.follow(page));
    for (const page of context.pages()) visits.follow(page);
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/api/')) visits.noteCall(response.request().method(), pathname, response.status());
    });
    await context.exposeBinding('noteModal', (_, name: string) => void visits.seen.add(`modal ${name}`));
    await context.addInitScript(noteModals);
    return visits;
  }

  /** Records a call, and the status of its answer when it is 400 or more. */
  noteCall(method: string, path: string, status: number): void {
    this.seen.add(`call ${method} ${path.replace(/^\/api|\?.*$/g, '')}`);
    if (status >= 400) this.seen.add(`answer ${status}`);
  }

  /** Returns what was seen: `route /:city`, `modal cities`, `call GET /order/12`, `answer 409`. */
  names(): string[] {
    return [...this.seen];
  }

  /** Records the route of each address that the page opens. */
  private follow(page: Page) {
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame() || !frame.url().startsWith('http')) return;
      const route = routeOf(frame.url());
      if (route) this.seen.add(`route ${route}`);
    });
  }
}

/** Runs in the page. Reports each modal once, when it is added to the document. */
function noteModals() {
  const report = (window as unknown as { noteModal(name: string): void }).noteModal;
  new MutationObserver(() => {
    for (const modal of document.querySelectorAll<HTMLElement>('[data-modal]:not([data-modal-noted])')) {
      modal.dataset.modalNoted = '';
      report(modal.dataset.modal ?? '');
    }
  }).observe(document, { childList: true, subtree: true });
}
