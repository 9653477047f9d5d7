import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';

const source = (path: string) => readFileSync(resolve(import.meta.dirname, '../../web/src/app', path), 'utf8');

/** The pages of the site as its router has them, without those for development alone. */
export const routes: readonly string[] = [
  ...source('routes.tsx').matchAll(/(?:lazyPage\(|path:)\s*'(\/[^']*)'/g),
].flatMap(([, path]) => (path && !path.startsWith('/dev/') ? [path] : []));

/** The modals of the page as its registry has them. */
export const modals: readonly string[] = [
  ...source('modals/registry.ts').matchAll(/^ {2}'?([a-z-]+)'?: (?:\{|\w+Entry\()/gm),
].flatMap(([, name]) => (name ? [name] : []));

/** Returns the first route that an address matches, as the router does. */
function routeOf(address: string): string | undefined {
  const { pathname } = new URL(address);
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  return routes.find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
}

/** Notes which pages and modals the pages of a context show, which calls they make, and with which statuses those are refused. */
export class Visits {
  private readonly seen = new Set<string>();

  /** Begins to note; must be called before the context opens a page that matters. */
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

  /** Notes a call, and the status of its answer where it is a refusal. */
  noteCall(method: string, path: string, status: number): void {
    this.seen.add(`call ${method} ${path.replace(/^\/api|\?.*$/g, '')}`);
    if (status >= 400) this.seen.add(`answer ${status}`);
  }

  /** Returns what was seen: `route /:city`, `modal cities`, `call GET /order/12`, `answer 409`. */
  names(): string[] {
    return [...this.seen];
  }

  private follow(page: Page) {
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame() || !frame.url().startsWith('http')) return;
      const route = routeOf(frame.url());
      if (route) this.seen.add(`route ${route}`);
    });
  }
}

/** Runs in the page: reports each modal that is put into it. */
function noteModals() {
  const report = (window as unknown as { noteModal(name: string): void }).noteModal;
  new MutationObserver(() => {
    for (const modal of document.querySelectorAll<HTMLElement>('[data-modal]:not([data-modal-noted])')) {
      modal.dataset.modalNoted = '';
      report(modal.dataset.modal ?? '');
    }
  }).observe(document, { childList: true, subtree: true });
}
