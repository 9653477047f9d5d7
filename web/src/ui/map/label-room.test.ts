import { describe, expect, it } from 'vitest';
import { type Box, takeRoom } from './label-room';

const box = (left: number, top: number, width = 40, height = 20): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const still = { x: 0, y: 0 };
const below = { x: 0, y: 30 };

describe('a label of the map', () => {
  it('stays in its own place where nothing is', () => {
    expect(takeRoom([box(100, 0)], box(0, 0), [still, below])).toEqual(still);
  });

  it('is shifted to the first place that is free', () => {
    expect(takeRoom([box(10, 5)], box(0, 0), [still, below])).toEqual(below);
  });

  it('has no room where every place is taken, and takes none', () => {
    const taken = [box(0, 0), box(0, 30)];
    expect(takeRoom(taken, box(0, 0), [still, below])).toBeUndefined();
    expect(taken).toHaveLength(2);
  });

  it('does not touch the label beside it', () => {
    expect(takeRoom([box(41, 0)], box(0, 0), [still])).toBeUndefined();
    expect(takeRoom([box(42, 0)], box(0, 0), [still])).toEqual(still);
  });

  it('takes the room that it has for those that come later', () => {
    const taken = [box(0, 0)];
    expect(takeRoom(taken, box(0, 0), [still, below])).toEqual(below);
    expect(takeRoom(taken, box(0, 0), [still, below])).toBeUndefined();
  });
});
