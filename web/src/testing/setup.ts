import { i18n } from '@lingui/core';
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { forgetAvoided } from '@/entities/allergens/avoided';
import { forgetAgreements } from '@/entities/cart/agreed/agreed-store';
import { forgetPlaces } from '@/entities/place/place';
import en from '@/i18n/languages/en';
import { closeAllModals } from '@/ui/modals/modal-store';
import { server } from './server';

i18n.loadAndActivate({ locale: 'en', messages: en });

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
