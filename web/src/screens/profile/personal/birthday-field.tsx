import type { MaskitoOptions } from '@maskito/core';
import { useMaskito } from '@maskito/react';
import type { ComponentPropsWithRef } from 'react';
import { TextField } from '@/ui/fields/text-field';
import { padBirthday, tidyBirthday } from './birthday';

const digit = /\d/;

const options: MaskitoOptions = {
  mask: [digit, digit, '.', digit, digit, '.', digit, digit, digit, digit],
  preprocessors: [
    ({ elementState, data }, action) => {
      // The browser has set the value at once, not digit by digit.
      if (action === 'validation') {
        const value = tidyBirthday(elementState.value);
        const end = value.length;
        return value === elementState.value
          ? { elementState, data }
          : { elementState: { value, selection: [end, end] }, data };
      }
      const [from, to] = elementState.selection;
      const isAtEnd = to === elementState.value.length;
      // A separator after a single digit puts a 0 before the digit.
      const padded =
        isAtEnd && /^[.,/\- ]$/.test(data) && padBirthday(elementState.value.slice(0, from));
      if (!padded) return { elementState, data: tidyBirthday(data) };
      return {
        elementState: { value: padded, selection: [padded.length, padded.length] },
        data: '.',
      };
    },
  ],
};

/**
 * The field for a birthday as DD.MM.YYYY. It completes typed digits with dots, and reformats a date that is
 * pasted or filled in by the browser.
 */
export function BirthdayField({
  ref,
  ...field
}: Omit<ComponentPropsWithRef<typeof TextField>, 'type' | 'inputMode' | 'autoComplete'>) {
  const maskRef = useMaskito({ options });
  return (
    <TextField
      {...field}
      ref={(input) => {
        maskRef(input);
        if (typeof ref === 'function') ref(input);
        else if (ref) ref.current = input;
      }}
      inputMode="numeric"
      autoComplete="bday"
    />
  );
}
