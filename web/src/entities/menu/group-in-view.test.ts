import { describe, expect, it } from 'vitest';
import { groupInView, type Standing, standingIn } from './group-in-view';

const order = ['sets', 'rolls', 'wok'];
const standings = (...values: Standing[]) =>
  new Map(order.map((alias, place) => [alias, values[place] ?? 'below']));

describe('the group in view', () => {
  it('is none while the whole menu is below the line', () => {
    expect(groupInView(order, standings('below', 'below', 'below'))).toBeNull();
  });

  it('is the group that the line crosses', () => {
    expect(groupInView(order, standings('above', 'at', 'below'))).toBe('rolls');
  });

  it('is the upper one of two that the line crosses', () => {
    expect(groupInView(order, standings('at', 'at', 'below'))).toBe('sets');
  });

  it('is the one above the line when the line is between two', () => {
    expect(groupInView(order, standings('above', 'above', 'below'))).toBe('rolls');
  });

  it('is unknown before anything was measured', () => {
    expect(groupInView(order, new Map())).toBeNull();
  });
});

it.each([
  ['above', -500, 104],
  ['at', -500, 105],
  ['at', 253, 900],
  ['below', 254, 900],
] as const)('a group stands %s a band of 104 to 254 from %i to %i', (standing, top, bottom) => {
  expect(standingIn({ top: 104, bottom: 254 }, { top, bottom })).toBe(standing);
});
