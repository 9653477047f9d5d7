import { act, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Router, useLocation } from 'wouter';
import { closeModal, modals, openModal } from '@/ui/modals/modal-store';
import { connectModalsToHistory } from './modal-history';
import { navigateFromModal } from './modal-navigation';

let navigate: ReturnType<typeof useLocation>[1];

/** The page of the address with the browser's own history, which goes back late. */
function Page() {
  const [location, go] = useLocation();
  navigate = go;
  useEffect(() => connectModalsToHistory(modals), []);
  return <h1>{location}</h1>;
}

/** Runs steps that make the browser go back, and waits until it has. */
async function waitForBack(steps: () => void) {
  const arrived = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  act(steps);
  await act(() => arrived);
}

const goBack = () => waitForBack(() => history.go(-1));

const shows = (address: string) => screen.findByRole('heading', { name: address });

beforeEach(async () => {
  // The test's own history goes back at once, a browser's only after the script has ended.
  const goAtOnce = history.go.bind(history);
  vi.spyOn(history, 'go').mockImplementation((steps) => {
    queueMicrotask(() => goAtOnce(steps));
  });
  history.pushState(null, '', '/berlin');
  history.pushState(null, '', '/berlin/delivery');
  render(
    <Router aroundNav={navigateFromModal}>
      <Page />
    </Router>,
  );
  await shows('/berlin/delivery');
});

describe('a navigation', () => {
  it('takes the place of the modal that it began in', async () => {
    act(() => void openModal('cities'));
    act(() => navigate('/kazan'));
    await shows('/kazan');
    expect(modals.get().defaults).toEqual([]);
    await goBack();
    await shows('/berlin/delivery');
  });

  it('that follows a modal’s closing is not undone by it', async () => {
    act(() => void openModal('order-types'));
    await waitForBack(() => {
      closeModal();
      navigate('/berlin/cart');
    });
    await shows('/berlin/cart');
    await goBack();
    await shows('/berlin/delivery');
    await goBack();
    await shows('/berlin');
  });

  it('that follows the closing of a modal and the question over it is not undone by it', async () => {
    const id = openModal('order-types');
    openModal('server-error', { message: 'Sure?' });
    await waitForBack(() => {
      closeModal(id);
      navigate('/kazan');
    });
    await shows('/kazan');
    await goBack();
    await shows('/berlin/delivery');
  });

  it('that follows the closing of a question closes the modal under it too', async () => {
    openModal('order-types');
    const question = openModal('server-error', { message: 'Sure?' });
    await waitForBack(() => {
      closeModal(question);
      navigate('/kazan');
    });
    await shows('/kazan');
    expect(modals.get().defaults).toEqual([]);
    await goBack();
    await shows('/berlin/delivery');
  });

  it('leaves a modal open that opens after it', async () => {
    act(() => void openModal('order-types'));
    await waitForBack(() => {
      closeModal();
      navigate('/berlin/cart');
      openModal('cities');
    });
    await shows('/berlin/cart');
    expect(modals.get().defaults).toMatchObject([{ name: 'cities' }]);
    await goBack();
    await waitFor(() => expect(modals.get().defaults).toEqual([]));
    await shows('/berlin/cart');
  });
});
