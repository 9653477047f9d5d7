import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { contentId } from '@/app/frame/use-page-scroll';
import { renderInCity } from '@/testing/render';
import { flash } from '@/ui/flash/flash-store';
import LateParts from './late-parts';

/** Renders a page with a button that has the focus, and a message with a button that is reached by the keyboard. */
async function open(isPageLeft = false) {
  const page = (
    <>
      <LateParts inCity />
      <main id={contentId} tabIndex={-1}>
        <button type="button">Order again</button>
      </main>
    </>
  );
  const { user } = renderInCity(page);
  const opener = screen.getByRole('button', { name: 'Order again' });
  opener.focus();
  const run = vi.fn(() => isPageLeft && opener.remove());
  act(() => void flash('The order is in your cart', { action: { label: 'Undo', run } }));
  await user.tab();
  expect(document.activeElement?.textContent).toBe('Undo');
  return { user, opener, run };
}

describe('a message that is answered by the keyboard', () => {
  it.each(['Undo', 'Dismiss'])('returns the focus to where it was, by %s', async (name) => {
    const { user, opener } = await open();
    screen.getByRole('button', { name }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it('moves the focus to the content where what had it is gone', async () => {
    const { user, run } = await open(true);
    await user.keyboard('{Enter}');
    expect(run).toHaveBeenCalledOnce();
    await waitFor(() => expect(document.activeElement?.id).toBe(contentId));
  });
});
