import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ignoreSecondPresses } from './ignore-second-presses';

describe('the second press of a double press', () => {
  beforeEach(() => {
    onTestFinished(ignoreSecondPresses());
    onTestFinished(() => document.body.replaceChildren());
  });

  /** Adds two buttons and returns them with how often each was pressed. */
  function addButtons() {
    return [0, 1].map((place) => {
      const button = document.createElement('button');
      button.textContent = `Button ${place}`;
      const onPress = vi.fn();
      button.addEventListener('click', onPress);
      document.body.append(button);
      return { button, onPress };
    }) as [Entry, Entry];
  }
  interface Entry {
    button: HTMLButtonElement;
    onPress: ReturnType<typeof vi.fn>;
  }

  /** Presses an element at a place and a time. */
  function press(element: Element, at: number, x = 100) {
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      const event = new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        clientX: x,
        clientY: 100,
        detail: 1,
      });
      Object.defineProperty(event, 'timeStamp', { value: at });
      element.dispatchEvent(event);
    }
  }

  it('does nothing where another control has come under the finger, nor does a third one', () => {
    const [first, other] = addButtons();
    press(first.button, 0);
    first.button.remove();
    press(other.button, 150);
    press(other.button, 400);
    expect([first.onPress, other.onPress].map((on) => on.mock.calls.length)).toEqual([1, 0]);
  });

  it('counts on the same control, also where it was drawn anew', () => {
    const [first, other] = addButtons();
    for (const at of [0, 100, 200]) press(first.button, at);
    expect(first.onPress).toHaveBeenCalledTimes(3);
    other.button.textContent = first.button.textContent;
    first.button.remove();
    press(other.button, 300);
    expect(other.onPress).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['later', 500, 100],
    ['elsewhere', 100, 180],
  ])('counts %s', (_, at, x) => {
    const [first, other] = addButtons();
    press(first.button, 0);
    press(other.button, at, x);
    expect(other.onPress).toHaveBeenCalledTimes(1);
  });

  it('counts when the page was only scrolled, so that the first control can still be pressed', () => {
    const [first, other] = addButtons();
    press(first.button, 0);
    vi.spyOn(first.button, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, -500, 80, 40));
    press(other.button, 100);
    expect(other.onPress).toHaveBeenCalledTimes(1);
  });

  it('does not keep a key from its control', async () => {
    const [first, other] = addButtons();
    press(first.button, 0);
    press(other.button, 100);
    other.button.focus();
    await userEvent.keyboard('{Enter}');
    expect(other.onPress).toHaveBeenCalledTimes(1);
  });
});
