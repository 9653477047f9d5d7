/** An element of a page, as WebDriver names it. */
export type Element = Record<string, string>;

/** A command of WebDriver by the name that Marionette has for it, and by its HTTP path in a session. */
export interface Command {
  name: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
}

/** Sends one command to a browser and returns its value; rejects with the browser's own words. */
export type Send = (command: Command, body: Record<string, unknown>) => Promise<unknown>;

/** A browser under the commands of WebDriver. */
export interface Driver {
  send: Send;
  /** Ends the session and the browser. */
  stop(): Promise<void>;
}

const post = (name: string, path: string): Command => ({ name, method: 'POST', path });

/** The commands that the journeys use. */
export const commands = {
  navigate: post('WebDriver:Navigate', '/url'),
  execute: post('WebDriver:ExecuteScript', '/execute/sync'),
  resize: post('WebDriver:SetWindowRect', '/window/rect'),
  click: (id: string) => post('WebDriver:ElementClick', `/element/${id}/click`),
  sendKeys: (id: string) => post('WebDriver:ElementSendKeys', `/element/${id}/value`),
  /** Into the frame with the number `id` of the page, or out of all frames with null. */
  frame: post('WebDriver:SwitchToFrame', '/frame'),
  screenshot: { name: 'WebDriver:TakeScreenshot', method: 'GET', path: '/screenshot' },
} as const;
