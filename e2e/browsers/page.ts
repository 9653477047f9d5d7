import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commands, type Driver, type Element } from './driver.ts';

const library = readFileSync(
  resolve(import.meta.dirname, '../../web/node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);
const longestWait = 30_000;

/**
 * Leaves in the page what finds an element of a role and a name that is shown and not disabled, in the
 * last dialog where one is open. Library and pattern are of one realm: browsers run each script in a realm of its own.
 */
const prepareScript = `
  if (window.serveryFind) return;
  const exports = {}, module = { exports };
  ${library}
  window.serveryFind = (role, source, flags) => {
    const within = [...document.querySelectorAll('[role="dialog"]')].pop() || document.body;
    const found = exports.queryAllByRole(within, role, { name: new RegExp(source, flags), hidden: true });
    return found.find((one) => one.getClientRects().length > 0 && !one.disabled) || null;
  };
`;
const findScript = 'return window.serveryFind(...arguments)';

/** A page in any browser, used by roles and names. */
export class BrowserPage {
  constructor(private readonly driver: Driver) {}

  async goto(url: string): Promise<void> {
    await this.driver.send(commands.navigate, { url });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.driver.send(commands.resize, { width, height, x: 0, y: 0 });
  }

  /** Runs a script in the page; what it returns comes back. */
  async evaluate<Value>(script: string, args: unknown[] = []): Promise<Value> {
    return (await this.driver.send(commands.execute, { script, args })) as Value;
  }

  /** Waits for an element and presses it, again while something else covers it or it moves. */
  async click(role: string, name: RegExp): Promise<void> {
    await this.persist(`press ${role} ${name}`, async () => {
      const element = await this.find(role, name);
      if (!element) return false;
      await this.evaluate("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", [element]);
      await this.driver.send(commands.click(idOf(element)), {});
      return true;
    });
  }

  async type(role: string, name: RegExp, text: string): Promise<void> {
    await this.persist(`type into ${role} ${name}`, async () => {
      const element = await this.find(role, name);
      if (!element) return false;
      await this.driver.send(commands.sendKeys(idOf(element)), { text, value: [...text] });
      return true;
    });
  }

  async expectShown(role: string, name: RegExp): Promise<void> {
    await this.persist(`see ${role} ${name}`, async () => (await this.find(role, name)) !== null);
  }

  /** Waits until a script returns true. */
  async expectTrue(what: string, script: string): Promise<void> {
    await this.persist(what, () => this.evaluate<boolean>(`return ${script}`));
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.driver.send(commands.screenshot, {})) as string, 'base64');
  }

  private async find(role: string, name: RegExp): Promise<Element | null> {
    await this.evaluate(prepareScript);
    return this.evaluate<Element | null>(findScript, [role, name.source, name.flags]);
  }

  /** Does something until it succeeds; throws what went wrong last when it takes too long. */
  private async persist(what: string, act: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + longestWait;
    let reason: unknown;
    while (Date.now() < deadline) {
      try {
        if (await act()) return;
        reason = undefined;
      } catch (error) {
        reason = error;
      }
      await pause(150);
    }
    throw new Error(`could not ${what}${reason === undefined ? '' : `: ${reason}`}`);
  }
}

const idOf = (element: Element): string => Object.values(element)[0] ?? '';
