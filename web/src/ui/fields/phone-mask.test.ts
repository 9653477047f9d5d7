import { maskitoTransform } from '@maskito/core';
import { describe, expect, it } from 'vitest';
import { phoneMask } from './phone-mask';

const ru = phoneMask('+7 (###) ###-##-##');

describe('phoneMask', () => {
  it.each(['89123456789', '+8 9123456789', '+79123456789', '9123456789', '8 (912) 345-67-89'])(
    'puts an autofilled %s into the mask',
    (value) => {
      expect(maskitoTransform(value, ru)).toBe('+7 (912) 345-67-89');
    },
  );

  it('keeps what is already in the mask', () => {
    expect(maskitoTransform('+7 (912) 3', ru)).toBe('+7 (912) 3');
  });
});
