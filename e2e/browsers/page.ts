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
 * Defines `serveryFind` in the page. It finds an element by role and name that is shown and not disabled, in the last
 * dialog when one is open. The pattern is made in the page, because a browser runs each script in a realm of its own.
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

  /** Runs a script in the page and returns its value. */
  async evaluate<Value>(script: string, args: unknown[] = []): Promise<Value> {
    return (await this.driver.send(commands.execute, { script, args })) as Value;
  }

  /** Waits until an element stands still and presses it. It tries again while the element is covered. */
  async click(role: string, name: RegExp): Promise<void> {
    await this.persist(`press ${role} ${name}`, async () => {
      const element = await this.find(role, name);
      if (!element) return false;
      await this.evaluate("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", [element]);
      // The driver presses where the element was, which may be another place by then.
      const before = await this.placeOf(element);
      await pause(50);
      if ((await this.placeOf(element)) !== before) return false;
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

  /** Waits for an element that a selector finds in the frame with the name, and presses it. */
  async clickInFrame(frame: string, selector: string): Promise<void> {
    await this.persist(`press ${selector} in the frame ${frame}`, async () => {
      const number = await this.evaluate<number>(
        "return [...document.querySelectorAll('iframe')].findIndex(({ name }) => name === arguments[0])",
        [frame],
      );
      if (number < 0) return false;
      await this.driver.send(commands.frame, { id: number });
      try {
        const element = await this.evaluate<Element | null>('return document.querySelector(arguments[0])', [selector]);
        if (element) await this.driver.send(commands.click(idOf(element)), {});
        return element !== null;
      } finally {
        await this.driver.send(commands.frame, { id: null });
      }
    });
  }

  /** Waits until a script returns true. */
  async expectTrue(what: string, script: string): Promise<void> {
    await this.persist(what, () => this.evaluate<boolean>(`return ${script}`));
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.driver.send(commands.screenshot, {})) as string, 'base64');
  }

  /** Returns where an element is in the window, as a text to compare. */
  private placeOf(element: Element): Promise<string> {
    return this.evaluate('return JSON.stringify(arguments[0].getBoundingClientRect())', [element]);
  }

  private async find(role: string, name: RegExp): Promise<Element | null> {
    await this.evaluate(prepareScript);
    return this.evaluate<Element | null>(findScript, [role, name.source, name.flags]);
  }

  /** Repeats an act until it returns true; throws with the last error after half a minute. */
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

/** Returns the WebDriver id of an element. */
const idOf = (element: Element): string => Object.values(element)[0] ?? '';
