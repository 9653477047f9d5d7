import { expect } from '@playwright/test';
import { enterOutside, numberOf } from './dialogs.ts';
import type { Stop } from './stops.ts';

/** The stops that show parts which open over pages and dialogs: suggestions, menus, notices. */
export const openStops: Record<string, Stop> = {
  'suggestions of addresses': {
    show: async (tour) => {
      await tour.openByAddress('order-types&order_type=delivery');
      await tour.shop.dialog().getByRole('combobox', { name: tour.say('Street and house') }).fill(tour.scene.house.slice(0, 14));
      await expect(tour.page.getByRole('option').first()).toBeVisible();
    },
  },
  'an address that is not delivered to': {
    show: async (tour) => {
      await tour.openByAddress('order-types&order_type=delivery');
      await enterOutside(tour);
    },
  },
  'a house that is confirmed': {
    show: async (tour) => {
      await tour.openByAddress('order-types&order_type=delivery');
      await tour.shop.enterAddress(tour.shop.dialog(), tour.scene.house, numberOf(tour.scene.house));
      await expect(tour.button('Deliver here')).toBeVisible();
    },
  },
  'shops to come to': {
    show: async (tour) => {
      await tour.openByAddress('order-types&order_type=takeaway');
      await expect(tour.shop.dialog().getByRole('article').first()).toBeVisible();
    },
  },
  'what the search finds': {
    show: async (tour) => {
      await tour.openByAddress('search');
      const isCyrillic = (await tour.page.locator('html').getAttribute('lang')) === 'ru';
      await tour.shop.dialog().getByRole('searchbox').fill(isCyrillic ? 'с' : 's');
      await expect(tour.shop.dialog().getByRole('article').first()).toBeVisible();
    },
  },
  'the menu of the account': {
    device: 'desktop',
    show: async (tour) => {
      await tour.goTo('/delivery');
      await tour.press(tour.page.getByRole('banner').getByRole('button', { name: tour.say('common.profile') }));
      await expect(tour.page.getByRole('dialog')).toBeVisible();
    },
  },
  'more pages': {
    device: 'desktop',
    show: async (tour) => {
      await tour.goTo('/delivery');
      await tour.press(tour.page.getByRole('banner').getByRole('button', { name: tour.say('app.frame.more') }));
      await expect(tour.page.getByRole('dialog')).toBeVisible();
    },
  },
  'a form with its problems': {
    show: async (tour) => {
      await tour.openByAddress('feedback', '/delivery');
      await tour.shop.dialog().getByRole('button', { name: tour.say('feedback.send') }).click({ force: true });
      await expect(tour.shop.dialog().locator('[aria-invalid=true]').first()).toBeVisible();
    },
  },
  'a page that is not there': {
    show: async (tour) => {
      await tour.page.goto('/moscow/nowhere');
      await tour.settle();
    },
  },
};
