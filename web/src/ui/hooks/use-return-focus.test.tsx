import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { renderInCity } from '@/testing/render';
import { closeModal, openModal } from '@/ui/modals/modal-store';

/** A button that opens a modal; an input replaces the button by two others. */
function Opener() {
  const [isChosen, setChosen] = useState(false);
  return (
    <span>
      {isChosen ? (
        <>
          <button type="button">Less</button>
          <button type="button">More</button>
        </>
      ) : (
        <button type="button" onClick={() => openModal('server-error', { message: 'No' })}>
          Add
        </button>
      )}
      <input aria-label="Choose" onInput={() => setChosen(true)} />
    </span>
  );
}

describe('the focus after a sheet', () => {
  it('goes to what came to the place of its opener', async () => {
    const { user } = renderInCity(<Opener />);
    await user.click(screen.getByRole('button', { name: 'Add' }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    const input = document.querySelector<HTMLInputElement>('input[aria-label="Choose"]');
    input?.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitFor(() => expect(screen.queryByText('Add')).toBeNull());
    closeModal();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('More'));
  });
});
