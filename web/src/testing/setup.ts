import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { clearAvoided } from '@/entities/allergens/avoided';
import { clearAcknowledgements } from '@/entities/cart/acknowledged/store';
import { forgetConsent } from '@/entities/consent/consent';
import { clearPlaces } from '@/entities/place/place';
import { activateLanguageNow } from '@/i18n/server';
import { closeAllModals } from '@/ui/modals/modal-store';
import { server } from './server';

activateLanguageNow('en');

// A machine that is busy with journeys too takes longer than the usual second.
configure({ asyncUtilTimeout: 8000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  closeAllModals();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  clearPlaces();
  clearAcknowledgements();
  clearAvoided();
  forgetConsent();
});
afterAll(() => server.close());
