import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderInCity } from '@/testing/render';
import { closeAllModals, openModal } from '@/ui/modals/modal-store';

function OpenButton() {
  return (
    <button
      type="button"
      onClick={() => openModal('server-error', { message: 'No', reference: 'f-7' })}
    >
      Pay
    </button>
  );
}

describe('ModalHost', () => {
  it('announces the title, shows the reference, closes by Escape and returns the focus', async () => {
    const { user } = renderInCity(<OpenButton />);
    const opener = screen.getByRole('button', { name: 'Pay' });
    await user.click(opener);
    const dialog = await screen.findByRole('dialog', { name: 'Error' });
    expect(dialog.textContent).toContain('f-7');
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it('shows a modal that has loaded in place of another without waiting', async () => {
    renderInCity(null);
    act(() => void openModal('server-error', { message: 'No', reference: 'f-7' }));
    await screen.findByRole('dialog', { name: 'Error' });
    act(() => void openModal('info'));
    await screen.findByRole('dialog', { name: 'Info' });
    act(() => closeAllModals());
    act(() => void openModal('server-error', { message: 'No', reference: 'f-7' }));
    act(() => void openModal('info'));
    const names = screen
      .getAllByRole('dialog')
      .map((dialog) => dialog.querySelector('h2')?.textContent);
    expect(names).toEqual(['Info']);
  });

  it.each(['promo', 'confirm-shop', 'nothing'])(
    'forgets a modal of the address that cannot be opened: %s',
    async (name) => {
      history.replaceState(null, '', `/berlin?modal=${name}&utm_source=letter`);
      renderInCity(null);
      await waitFor(() => expect(location.search).toBe('?utm_source=letter'));
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  it('closes by the cross', async () => {
    const { user } = renderInCity(<OpenButton />);
    await user.click(screen.getByRole('button', { name: 'Pay' }));
    await screen.findByRole('dialog');
    const [cross] = screen.getAllByRole('button', { name: 'Close' });
    if (cross) await user.click(cross);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
