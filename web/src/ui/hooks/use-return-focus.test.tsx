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

/** A button that opens a modal under a heading that can have the focus; an input removes the button. */
function Emptied() {
  const [isEmpty, setEmpty] = useState(false);
  return (
    <section>
      <h2 tabIndex={-1}>Cart</h2>
      {!isEmpty && (
        <div>
          <button type="button" onClick={() => openModal('server-error', { message: 'No' })}>
            Empty
          </button>
        </div>
      )}
      <input aria-label="Answer" onInput={() => setEmpty(true)} />
    </section>
  );
}

/** A bar of two entries; an input replaces the button of the second by a link. */
function Bar() {
  const [isSignedIn, setSignedIn] = useState(false);
  return (
    <ul>
      <li>
        <button type="button">Info</button>
      </li>
      <li>
        {isSignedIn ? (
          <a href="/berlin/profile">Profile</a>
        ) : (
          <button type="button" onClick={() => openModal('server-error', { message: 'No' })}>
            Sign in
          </button>
        )}
      </li>
      <input aria-label="Code" onInput={() => setSignedIn(true)} />
    </ul>
  );
}

describe('the focus after a sheet', () => {
  it('goes to the link that came to the place of its opener', async () => {
    const { user } = renderInCity(<Bar />);
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    const input = document.querySelector<HTMLInputElement>('input[aria-label="Code"]');
    input?.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitFor(() => expect(screen.queryByText('Sign in')).toBeNull());
    closeModal();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Profile'));
  });

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

  it('goes to what is left near its opener that goes later, when the server has answered', async () => {
    const { user } = renderInCity(<Opener />);
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await screen.findByRole('dialog');
    closeModal();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Add'));
    const input = screen.getByLabelText('Choose');
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('More'));
  });

  it('goes to the heading when no button is left near its opener', async () => {
    const { user } = renderInCity(<Emptied />);
    await user.click(screen.getByRole('button', { name: 'Empty' }));
    await screen.findByRole('dialog');
    closeModal();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Empty'));
    const input = screen.getByLabelText('Answer');
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Cart')));
  });
});
