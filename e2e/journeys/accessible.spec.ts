import type { Page } from '@playwright/test';
import { Caller } from '../harness/caller.ts';
import { dialogFaults, focusFaults } from '../harness/focus.ts';
import { hiddenTexts, runningMotion, smallTargets } from '../harness/layout.ts';
import { desktop, expectAccessible, narrow, phone } from '../harness/screen.ts';
import { startsWith } from '../harness/storefront.ts';
import { expect, test } from '../harness/test.ts';
import { type Colours, type Look, shortRounds, unknown, unvisited, wholeRounds } from '../harness/tour/stops.ts';
import { Tour } from '../harness/tour/tour.ts';

/**
 * Whether every stop is scanned with every brand, on both devices, in all colours and in two languages (`make
 * axe`).
 */
const isWhole = Boolean(process.env.SERVERY_AXE);
const languages = isWhole ? (['ru', 'de'] as const) : (['ru'] as const);
/** The time to pay: an order that waits for its payment must wait until the end of the round. */
const payWithin = isWhole ? '3h' : '10m';
/** How many presses of Tab are checked on a screen. */
const steps = isWhole ? 60 : 8;

const media: Record<Colours, { colorScheme: 'light' | 'dark'; forcedColors: 'active' | 'none' }> = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
};

/** The controls that must be large enough for a thumb: to order, add, pay and close. */
const important = ['common.close', 'Add to cart: {name}, {written}', 'Place the order', 'Order with obligation to pay', 'Check out'];

test('every page and dialog of the code is among the screens that are looked at', () => {
  expect({ unvisited: unvisited(), unknown: unknown() }).toEqual({ unvisited: [], unknown: [] });
});

/** Shows a stop and returns its faults: in each of its colours, in the focus, and in a window of 320 px. */
async function faultsOf(tour: Tour, { name, stop, colours }: Look): Promise<string[]> {
  const { page, say } = tour;
  const faults: string[] = [];
  const isDialog = name.startsWith('modal');
  await stop.show(tour);
  if (isDialog) await expect(tour.shop.dialog()).toBeVisible();
  for (const one of colours) {
    await page.emulateMedia(media[one]);
    await expectAccessible(page, one).catch(({ message }: Error) => faults.push(message));
  }
  faults.push(...(await runningMotion(page)), ...(await smallTargets(page, [startsWith(...important.map((id) => say(id)))])));
  if (isDialog) faults.push(...(await dialogFaults(page, tour.shop.dialog())));
  await page.emulateMedia(media.light);
  if (stop.device !== 'desktop') faults.push(...(await narrowFaults(page)));
  if (!name.startsWith('modal confirm')) faults.push(...(await focusFaults(page, steps)));
  return faults.map((fault) => `${name}: ${fault}`);
}

/** Returns the texts that cannot be read in a window of 320 px. */
async function narrowFaults(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize(narrow);
  let faults = await hiddenTexts(page);
  // Elements may still move to their new places.
  if (faults.length > 0) {
    await page.waitForLoadState('networkidle');
    faults = await hiddenTexts(page);
  }
  if (before) await page.setViewportSize(before);
  return faults;
}

for (const language of languages) {
  for (const { brand, device, looks } of isWhole ? wholeRounds() : shortRounds()) {
    test.describe(`${brand} on a ${device} in ${language}`, () => {
      test.use({ ...(device === 'phone' ? phone : desktop), brand, language, longer: !isWhole, payWithin });

      test('screens, dialogs and what opens over them are accessible and fit 320 px', async ({ page, say, program, watch, context }) => {
        test.setTimeout(looks.length * 30_000);
        watch.expectRefusal(/^\/moscow\/nowhere$/, 404);
        watch.expectRefusal(/^\/api\/shops\/set$/, 500);
        watch.expectRefusal(/^\/api\/user\/sign-in$/, 422);
        watch.expectRefusal(/^\/api\/order\/repeat$/, 409);
        // The page of a guest asks for the payment and the order that the customer before has left open.
        watch.expectRefusal(/^\/api\/order-payment\//, 404);
        watch.expectRefusal(/^\/api\/order\/\d+$/, 404);
        const caller = new Caller(program, brand, language);
        const tour = await Tour.begin({ page, brand, say, caller });
        const faults: string[] = [];
        for (const look of looks) {
          await test.step(look.name, async () => {
            if (look.stop.isGuest) await context.clearCookies({ name: 'session' });
            faults.push(...(await faultsOf(tour, look).catch(({ message }: Error) => [`${look.name}: ${message}`])));
            await page.unrouteAll();
            if (look.stop.isGuest) await caller.lendSession(context);
          });
        }
        expect(faults.join('\n')).toBe('');
      });
    });
  }
}
