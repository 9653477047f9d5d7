import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { forgetAvoided } from '@/entities/allergens/avoided';
import { forgetAgreements } from '@/entities/cart/agreed/agreed-store';
import { forgetPlaces } from '@/entities/place/place';
import { activateLanguageNow } from '@/i18n/server';
import { closeAllModals } from '@/ui/modals/modal-store';
import { server } from './server';

activateLanguageNow('en');

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  closeAllModals();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  forgetPlaces();
  forgetAgreements();
  forgetAvoided();
});
afterAll(() => server.close());
