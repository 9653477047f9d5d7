import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { readInTab, removeInTab, writeInTab } from '@/lib/storage';

/** Returns the tab's key of a draft. Signing out removes all values under such keys. */
const keyOf = (name: string) => `form-draft.${name}`;

/** Reports whether a value is an object of named values. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first values of a form, replaced by those of its draft in this tab that have the same type. */
export function withDraft<Values extends FieldValues>(name: string, first: Values): Values {
  const kept = readInTab(keyOf(name), isRecord) ?? {};
  const fitting = Object.entries(kept).filter(
    ([field, value]) => field in first && typeof value === typeof first[field],
  );
  return { ...first, ...Object.fromEntries(fitting) };
}

/**
 * Stores the values of a form as a draft in the tab at each change, without the field `excluded`. So they
 * survive a reload and the closing of the dialog. Returns a function that removes the draft.
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
