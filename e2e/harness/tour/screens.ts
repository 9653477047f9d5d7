import { expect } from '@playwright/test';
import type { Stop } from './stops.ts';
import type { Tour } from './tour.ts';

/** Returns a stop that opens a page of the city. */
const page = (path: string): Stop => ({ show: (tour) => tour.goTo(path) });

/** The stops that show pages, by their routes or by their states. */
export const screenStops: Record<string, Stop> = {
  'route /': {
    show: async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
    },
  },
  'route /auth/link': {
    // A link without a secret is shown as a link that was used.
    show: async (tour) => {
      await tour.page.goto('/auth/link');
      await tour.settle();
    },
  },
  'route /auth/vk/callback': {
    show: async (tour) => {
      await tour.page.goto('/auth/vk/callback');
      await tour.settle();
    },
  },
  'route /privacy-policy': {
    show: async (tour) => {
      await tour.page.goto('/privacy-policy');
      await tour.settle();
    },
  },
  'route /user-agreement': {
    show: async (tour) => {
      await tour.page.goto('/user-agreement');
      await tour.settle();
    },
  },
  'route /:city/bonus': page('/bonus'),
  'route /:city/promotions': page('/promotions'),
  'route /:city/shops': page('/shops'),
  'route /:city/delivery': page('/delivery'),
  'route /:city/cart': page('/cart'),
  'route /:city/profile': page('/profile'),
  'route /:city/back-to-home': page('/back-to-home'),
  'route /:city/order/payment/:key': {
    show: async (tour) => {
      const { path } = await tour.orderToPay();
      await tour.page.goto(path);
      await expect(tour.page.getByRole('heading', { level: 1 })).toBeVisible();
      await tour.page.waitForLoadState('networkidle');
    },
  },
  'route /:city/order/:orderId/tracking': { show: (tour) => tour.goTo(`/order/${tour.active}/tracking`) },
  'route /:city/:alias': page('/about'),
  'route /:city': {
    show: async (tour: Tour) => {
      await tour.goTo();
      await tour.shop.ready();
    },
  },
  'the second step of the checkout': page('/cart?step=2'),
  'the list of orders': page('/profile?tab=orders'),
  'the list of addresses': page('/profile?tab=addresses'),
  'the way of a delivered order': { show: (tour) => tour.goTo(`/order/${tour.done}/tracking`) },
  'the profile of a guest': { isGuest: true, show: (tour) => tour.goTo('/profile') },
  'the empty cart': { isGuest: true, show: (tour) => tour.goTo('/cart') },
};
