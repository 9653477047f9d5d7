/** How soon after the first press, in milliseconds, and how near to it, in pixels, a press is the second of a double press. */
const longestPause = 400;
const farthest = 16;

/** What a press is for. */
const controls = 'a, button, input, label, select, summary, textarea, [role]';

/** What makes a press, in order: the first of them decides. */
const events = [
  'pointerdown',
  'touchstart',
  'mousedown',
  'pointerup',
  'touchend',
  'mouseup',
  'click',
];

interface Press {
  control: Element | undefined;
  at: number;
  x: number;
  y: number;
}

/**
 * Ignores the second press of a double press where the first control is gone or covered and another one has come under
 * the finger, as when a dialog closes or opens: it was meant for the first one. Rapid presses of one control all count,
 * and so do keys. Returns a function that ends this.
 */
export function ignoreSecondPresses(): () => void {
  let last: Press | undefined;
  let isIgnored = false;
  const watch = (event: Event) => {
    if (event.type === 'pointerdown') {
      const press = pressOf(event as PointerEvent);
      isIgnored =
        last?.control !== undefined &&
        isDouble(last, press) &&
        !isSame(last.control, press.control) &&
        !isWithinReach(last.control);
      // A third press is held against the first control too.
      last = isIgnored && last ? { ...last, at: press.at } : press;
    }
    // A click without a press comes from a key.
    if (!isIgnored || (event.type === 'click' && (event as MouseEvent).detail === 0)) return;
    event.stopImmediatePropagation();
    // The browser takes no refusal of touches here; without it a press would move the focus or follow a link.
    if (event.type === 'mousedown' || event.type === 'click') event.preventDefault();
  };
  for (const type of events)
    window.addEventListener(type, watch, { capture: true, passive: false });
  return () => {
    for (const type of events) window.removeEventListener(type, watch, { capture: true });
  };
}

/** Returns the press that an event begins. */
function pressOf({ target, timeStamp, clientX, clientY }: PointerEvent): Press {
  const element = target instanceof Element ? target : undefined;
  return { control: element?.closest(controls) ?? element, at: timeStamp, x: clientX, y: clientY };
}

/** Reports whether two controls are one, which may have been drawn anew: then it has the same words. */
const isSame = (first: Element, second: Element | undefined) =>
  first === second || (!first.isConnected && first.textContent === second?.textContent);

/** Reports whether two presses are near to each other in time and place. */
const isDouble = (first: Press, second: Press) =>
  second.at - first.at < longestPause &&
  Math.hypot(second.x - first.x, second.y - first.y) < farthest;

/** Reports whether a control can still be pressed, though perhaps only after scrolling. */
function isWithinReach(control: Element): boolean {
  const { left, top, width, height } = control.getBoundingClientRect();
  if (!control.isConnected || width === 0) return false;
  const [x, y] = [left + width / 2, top + height / 2];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return true;
  return control.contains(document.elementFromPoint(x, y));
}
