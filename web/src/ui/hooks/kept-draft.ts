import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

/** Returns the key of a draft. Everything under such a key is removed when the customer signs out. */
const keyOf = (name: string) => `form-draft.${name}`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first values of a form; what was typed into it in this tab and not sent replaces them. */
export function withDraft<Values extends FieldValues>(name: string, first: Values): Values {
  const kept = readInTab(keyOf(name), isRecord) ?? {};
  const fitting = Object.entries(kept).filter(
    ([field, value]) => field in first && typeof value === typeof first[field],
  );
  return { ...first, ...Object.fromEntries(fitting) };
}

/**
 * Keeps what is typed into a form for the tab, so that closing its dialog or a reload loses nothing.
 * The field `excluded` is not kept: it has to be filled in again. Returns a function that drops the draft.
 */
export function useKeptDraft<Values extends FieldValues>(
  name: string,
  form: UseFormReturn<Values>,
  excluded?: keyof Values,
): () => void {
  const { subscribe } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          const kept = Object.entries(values).filter(([field]) => field !== excluded);
          writeInTab(keyOf(name), Object.fromEntries(kept));
        },
      }),
    [subscribe, name, excluded],
  );
  return () => removeInTab(keyOf(name));
}
