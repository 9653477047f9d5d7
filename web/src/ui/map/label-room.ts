/** A rectangle in the window, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A shift of a label from its own place, in pixels. */
export interface Shift {
  x: number;
  y: number;
}

/** The empty space that a label keeps around itself, in pixels. */
const gap = 2;

/** Reports whether two boxes overlap or nearly touch. */
const areClose = (a: Box, b: Box) =>
  a.left < b.right + gap &&
  b.left < a.right + gap &&
  a.top < b.bottom + gap &&
  b.top < a.bottom + gap;

/**
 * Returns the first shift by which a label overlaps none of the boxes that are taken, and adds its box there to them.
 * It returns undefined, and takes nothing, when there is no room by any shift.
 */
export function takeRoom(taken: Box[], label: Box, shifts: readonly Shift[]): Shift | undefined {
  for (const shift of shifts) {
    const box = {
      left: label.left + shift.x,
      right: label.right + shift.x,
      top: label.top + shift.y,
      bottom: label.bottom + shift.y,
    };
    if (taken.some((other) => areClose(other, box))) continue;
    taken.push(box);
    return shift;
  }
  return undefined;
}
