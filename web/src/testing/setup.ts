import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { clearAvoided } from '@/entities/allergens/avoided';
import { clearAcknowledgements } from '@/entities/cart/acknowledged/store';
import { resetConsent } from '@/entities/consent/consent';
import { clearPlaces } from '@/entities/place/place';
import { activateLanguageNow } from '@/i18n/server';
import { closeAllModals } from '@/ui/modals/modal-store';
import { server } from './server';

activateLanguageNow('en');

// The default of one second is too short on a machine that runs journeys at the same time.
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
  resetConsent();
});
afterAll(() => server.close());
