import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { PhoneField } from './phone-field';

const ru = '+7 (###) ###-##-##';
const de = '+49 (###) ########';
const ua = '+380 (##) ###-##-##';
const uz = '+998 (##) ###-##-##';

describe('a phone typed digit by digit', () => {
  it.each([
    [ru, '89123456789', '+7 (912) 345-67-89'],
    [ru, '+79123456789', '+7 (912) 345-67-89'],
    [ru, '9123456789', '+7 (912) 345-67-89'],
    [ru, '8005553535', '+7 (800) 555-35-35'],
    [de, '015112345678', '+49 (151) 12345678'],
    [de, '+4915112345678', '+49 (151) 12345678'],
    [de, '15112345678', '+49 (151) 12345678'],
    [de, '046112345', '+49 (461) 12345'],
    [de, '46112345', '+49 (461) 12345'],
    [ua, '0441234567', '+380 (44) 123-45-67'],
    [ua, '380441234567', '+380 (44) 123-45-67'],
    [ua, '321234567', '+380 (32) 123-45-67'],
    [uz, '998901234567', '+998 (90) 123-45-67'],
    [uz, '901234567', '+998 (90) 123-45-67'],
  ])('stands in %s as meant: %s', async (mask, typed, shown) => {
    render(<PhoneField label="Phone" mask={mask} />);
    const user = userEvent.setup();
    const box = screen.getByLabelText<HTMLInputElement>('Phone');
    await user.type(box, typed);
    expect(box.value).toBe(shown);
  });
});
