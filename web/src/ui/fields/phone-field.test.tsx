import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { PhoneField } from './phone-field';

const ru = '+7 (###) ###-##-##';
const de = '+49 (###) ########';
const ua = '+380 (##) ###-##-##';
const by = '+375 (##) ###-##-##';
const kz = '+7 (7##) ###-##-##';
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
    [kz, '87011234567', '+7 (701) 123-45-67'],
    [kz, '+77011234567', '+7 (701) 123-45-67'],
    [kz, '77011234567', '+7 (701) 123-45-67'],
    [kz, '7011234567', '+7 (701) 123-45-67'],
    [kz, '87771234567', '+7 (777) 123-45-67'],
    [by, '80291234567', '+375 (29) 123-45-67'],
    [by, '0291234567', '+375 (29) 123-45-67'],
    [by, '375291234567', '+375 (29) 123-45-67'],
  ])('stands in %s as meant: %s', async (mask, typed, shown) => {
    render(<PhoneField label="Phone" mask={mask} />);
    const user = userEvent.setup();
    const box = screen.getByLabelText<HTMLInputElement>('Phone');
    await user.type(box, typed);
    expect(box.value).toBe(shown);
  });
});

describe('a phone with a digit too few or too many', () => {
  it.each([
    [ru, '8916123456', '+7 (916) 123-45-6'],
    [ru, '+79166123456 7', '+7 (916) 612-34-567'],
    [kz, '8771234567', '+7 (771) 234-56-7'],
    [kz, '870112345678', '+7 (701) 123-45-678'],
    [by, '8029123456', '+375 (29) 123-45-6'],
    [de, '491512345678', '+49 (151) 2345678'],
    [ua, '05012345678', '+380 (50) 123-45-678'],
  ])('stands in %s as it was typed, not as another number: %s', async (mask, typed, shown) => {
    render(<PhoneField label="Phone" mask={mask} />);
    const box = screen.getByLabelText<HTMLInputElement>('Phone');
    await userEvent.setup().type(box, typed);
    expect(box.value).toBe(shown);
  });
});

describe('a whole number that a keyboard puts in at once, as from its clipboard', () => {
  /** Inserts a text as the keyboards of phones do, without a paste; returns whether the box would take it. */
  const insert = (box: HTMLInputElement, data: string) =>
    fireEvent(
      box,
      new InputEvent('beforeinput', {
        inputType: 'insertText',
        data,
        bubbles: true,
        cancelable: true,
      }),
    );

  it('is offered as a whole before the mask takes digits off it', () => {
    const offered: string[] = [];
    const takeIt = (text: string) => offered.push(text) > 0;
    render(<PhoneField label="Phone" mask={ru} onWhole={takeIt} />);
    const box = screen.getByLabelText<HTMLInputElement>('Phone');
    expect(insert(box, '+49 151 12345678')).toBe(false);
    expect(offered).toEqual(['+49 151 12345678']);
    expect(box.value).toBe('');
  });

  it('is offered as it stands now, whatever was offered before', () => {
    const offered: string[] = [];
    const { rerender } = render(<PhoneField label="Phone" mask={ru} onWhole={() => true} />);
    rerender(<PhoneField label="Phone" mask={ru} onWhole={(text) => offered.push(text) > 0} />);
    insert(screen.getByLabelText('Phone'), '+380 67 123 45 67');
    expect(offered).toEqual(['+380 67 123 45 67']);
  });
});
