import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { SuggestField } from './suggest-field';

function Field({ suggestions = [] }: { suggestions?: string[] }) {
  const [text, setText] = useState('');
  return (
    <SuggestField
      label="Address"
      value={text}
      onChange={setText}
      suggestions={suggestions}
      keyOf={(item) => item}
      textOf={(item) => item}
      renderItem={(item) => item}
      onChoose={() => undefined}
    />
  );
}

it('keeps what was typed from the first Escape, and lets the second one pass', async () => {
  const user = userEvent.setup();
  const heard = vi.fn();
  render(
    <I18nProvider i18n={i18n}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: stands for the dialog around the field */}
      <div onKeyDown={(event) => event.key === 'Escape' && heard()}>
        <Field />
      </div>
    </I18nProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' });
  await user.type(field, 'Torstr');
  await user.keyboard('{Escape}');
  expect(field.value).toBe('Torstr');
  expect(heard).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(field.value).toBe('Torstr');
  expect(heard).toHaveBeenCalledOnce();
});

it('closes the suggestions when something else is pressed', async () => {
  const user = userEvent.setup();
  render(
    <I18nProvider i18n={i18n}>
      <Field suggestions={['Torstraße']} />
      <p>Elsewhere</p>
    </I18nProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' });
  await user.type(field, 'Torstr');
  await screen.findByRole('option', { name: 'Torstraße' });
  await user.click(screen.getByText('Elsewhere'));
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
  expect(field.value).toBe('Torstr');
});
