import { describe, expect, it } from 'vitest';
import type { ModalKind, ModalName } from './modal-names';
import {
  depthOf,
  type ModalState,
  noModals,
  type OpenModal,
  reduceModals,
  visibleModals,
} from './modal-state';

type Step = `+${ModalName}` | '-' | `-${ModalName}` | 'all' | `<${number}`;

const kinds: Partial<Record<ModalName, ModalKind>> = {
  product: 'once',
  'confirm-empty-cart': 'confirm',
  'server-error': 'confirm',
};

/** Replays a sequence: `+name` opens, `-` closes the top, `-name` closes that one, `<n` goes back to n. */
function replay(...steps: Step[]): ModalState {
  let id = 0;
  let state = noModals;
  for (const step of steps) {
    const name = step.slice(1) as ModalName;
    if (step === '-') state = reduceModals(state, { type: 'close' });
    else if (step === 'all') state = reduceModals(state, { type: 'closeAll' });
    else if (step.startsWith('<'))
      state = reduceModals(state, { type: 'backTo', depth: Number(name) });
    else if (step.startsWith('+')) {
      id += 1;
      const modal = { id, name, kind: kinds[name] ?? 'default', params: {} } as OpenModal;
      state = reduceModals(state, { type: 'open', modal });
    } else {
      const all = [...state.defaults, ...state.confirms];
      state = reduceModals(state, {
        type: 'close',
        id: all.find((m) => m.name === name)?.id ?? -1,
      });
    }
  }
  return state;
}

const shown = (...steps: Step[]) => visibleModals(replay(...steps)).map(({ name }) => name);

describe('modals', () => {
  it('shows one default modal at a time', () => {
    expect(shown('+search', '+intervals')).toEqual(['intervals']);
  });

  it('shows the modal before again when a default one closes', () => {
    expect(shown('+search', '+intervals', '-')).toEqual(['search']);
    expect(shown('+search', '+intervals', '-', '-')).toEqual([]);
  });

  it('never shows product info again', () => {
    expect(shown('+product', '+order-types', '-')).toEqual([]);
    expect(shown('+search', '+product', '-')).toEqual(['search']);
    expect(shown('+search', '+product', '+order-types', '-')).toEqual(['search']);
  });

  it('stacks confirm modals', () => {
    expect(shown('+search', '+confirm-empty-cart', '+server-error')).toEqual([
      'search',
      'confirm-empty-cart',
      'server-error',
    ]);
    expect(shown('+search', '+confirm-empty-cart', '-')).toEqual(['search']);
    expect(shown('+server-error', '-')).toEqual([]);
  });

  it('closes confirm modals when a default one opens or their own one closes', () => {
    expect(shown('+search', '+confirm-empty-cart', '+cities')).toEqual(['cities']);
    expect(shown('+search', '+confirm-empty-cart', '-search')).toEqual([]);
  });

  it('keeps one copy of a modal that is opened twice', () => {
    expect(shown('+search', '+intervals', '+search')).toEqual(['search']);
    expect(depthOf(replay('+search', '+intervals', '+search'))).toBe(2);
    expect(depthOf(replay('+product', '+product'))).toBe(1);
  });

  it('removes a waiting modal without a change of what is shown', () => {
    expect(shown('+search', '+intervals', '-search')).toEqual(['intervals']);
    expect(shown('+search', '+intervals', '-search', '-')).toEqual([]);
  });

  it('goes back as far as asked', () => {
    expect(shown('+search', '+intervals', '+server-error', '<1')).toEqual(['search']);
    expect(shown('+search', '+intervals', '<0')).toEqual([]);
    expect(shown('+search', '<5')).toEqual(['search']);
    expect(shown('+search', '+confirm-empty-cart', 'all')).toEqual([]);
  });

  it('returns the same state when nothing changes', () => {
    const state = replay('+search');
    expect(reduceModals(state, { type: 'close', id: 99 })).toBe(state);
    expect(reduceModals(noModals, { type: 'closeAll' })).toBe(noModals);
  });
});
