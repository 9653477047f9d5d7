import { expectAgreement, orderToPay, pizzaInMoscow, attemptsOf } from '../harness/paying.ts';
import { desktop, expectAccessible, expectSound } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { begin, expectBegun, type Paying, type Way, ways } from '../harness/ways.ts';

/** Waits until the state of an attempt whose answer was lost is known, continues it or begins another, and pays. */
async function resumeAndPay(way: Way, paying: Paying) {
  const { screen } = paying;
  const continueButton = screen.button('Continue to your bank', ...way.starts);
  const waitingHeading = screen.about(way.type === 'sbp' ? 'Pay in your bank’s app' : 'Confirm on your phone');
  await expect(continueButton.or(waitingHeading)).toBeVisible({ timeout: 40_000 });
  if (await continueButton.isVisible()) await continueButton.click();
  await expectBegun(way, paying);
  await way.end(paying, 'paid');
}

/** The ways that are tested: on PostgreSQL a card only, because the other ways run the same statements. */
const testedWays = process.env.DATABASE_URL ? ways.filter(({ type }) => type === 'card_online') : ways;

// Whatever a customer and a bank do, money and order expectAgreement, and it is paid once.
for (const way of testedWays) {
  test.describe(way.title, () => {
    test.use({ ...way.device, brand: way.spot.brand, language: way.language });

    test('is refused for each reason, says so, and is paid by the next try', async ({
      payment: screen,
      stranger,
      bank,
      reply,
      watch,
    }) => {
      test.setTimeout(120_000);
      watch.expectRefusal(/^\/api\/order\/pay$/, 422);
      const order = await orderToPay(stranger, way.spot, way.type);
      const paying = { order, screen, bank };
      await screen.open(order);
      if (!way.beginsItself) await begin(way, paying);
      for (const [place, reason] of way.reasons.entries()) {
        if (place > 0) await begin(way, paying);
        await expectBegun(way, paying);
        if (place === 0) await expectSound(screen.page, `${way.title}: begun`);
        await way.end(paying, reason);
        await screen.expectRefused(reply(`pay.${reason}`));
        if (place === 0) await expectSound(screen.page, `${way.title}: refused`);
      }
      await expectAgreement(order, bank, 'waiting', way.reasons.length);
      await begin(way, paying);
      await expectBegun(way, paying);
      await way.end(paying, 'paid');
      await screen.expectPaid();
      await expectAccessible(screen.page, `${way.title}: paid`);
      await expectAgreement(order, bank, 'paid', way.reasons.length + 1);
    });

    test('is paid once after a double click, Back, a reload and a second tab', async ({ payment: screen, stranger, bank }) => {
      test.setTimeout(120_000);
      const order = await orderToPay(stranger, way.spot, way.type);
      const paying = { order, screen, bank };
      const { page } = screen;
      await screen.open(order);

      await test.step('a double click begins one try', async () => {
        if (way.beginsItself) {
          await expectBegun(way, paying);
        } else if (way.starts.length > 0) {
          await screen.button(...way.starts).dblclick();
          await expectBegun(way, paying);
        } else {
          await screen.enterCard(await bank.card('three_ds_2_plain'));
          await screen.button('Pay').dblclick();
          await expect(screen.challengeButton(true)).toBeVisible();
        }
        await expect.poll(async () => (await attemptsOf(stranger, order.id)).length).toBe(1);
      });

      await test.step('Back and a reload lead back to the same try', async () => {
        if (way.leaves) {
          await page.goBack();
          await expect(screen.button('Continue to your bank')).toBeVisible();
        }
        await page.reload();
        if (way.leaves) await expect(screen.button('Continue to your bank')).toBeVisible();
        else if (way.starts.length > 0) await expectBegun(way, paying);
        else await expect(screen.button('Confirm at your bank')).toBeVisible();
        await expectSound(page, `${way.title}: in the middle`);
      });

      await test.step('a second tab goes on with it and pays', async () => {
        const other = { ...paying, screen: await screen.openAgain(order) };
        if (way.leaves) {
          await other.screen.button('Continue to your bank').click();
          await expectBegun(way, other);
          await way.end(other, 'paid');
        } else if (way.starts.length > 0) {
          await expectBegun(way, other);
          await way.end(other, 'paid');
        } else {
          await other.screen.button('Confirm at your bank').click();
          await other.screen.challengeButton(true).click();
        }
        await other.screen.expectPaid();
        await screen.comeBackToTab();
        await screen.expectPaid();
      });

      await expectAgreement(order, bank, 'paid', 1);
    });

    test('is paid once when the bank’s answer is lost', async ({ payment: screen, stranger, bank, watch }) => {
      test.setTimeout(120_000);
      watch.expectRefusal(/^\/api\/order\/pay$/, 422);
      for (const fault of way.faults) {
        await test.step(fault, async () => {
          const order = await orderToPay(stranger, way.spot, way.type);
          const paying = { order, screen, bank };
          await bank.breakNext({ site: way.spot.brand, call: 'start', fault });
          await screen.open(order);
          if (way.starts.length === 0) {
            await way.end(paying, 'paid');
          } else {
            if (!way.beginsItself) await begin(way, paying);
            await resumeAndPay(way, paying);
          }
          await screen.expectPaid();
          await expectAgreement(order, bank, 'paid');
        });
      }
    });
  });
}

test.describe('a card that never came to the bank', () => {
  test.use({ ...desktop, brand: 'pizza' });

  test('is still being checked, and nobody says that it failed', async ({ payment, stranger, bank }) => {
    const order = await orderToPay(stranger, pizzaInMoscow, 'card_online');
    await bank.breakNext({ site: 'pizza', call: 'start', fault: 'lost_before' });
    await payment.open(order);
    await payment.payBy(await bank.card('paid'));
    await expect(payment.about('We are asking the bank')).toBeVisible();
    const still = payment.about('Still checking, order no. {orderId}');
    await expect(still).toBeVisible({ timeout: 30_000 });
    await expectSound(payment.page, 'still checking');
    await expectAgreement(order, bank, 'waiting', 1);
  });
});
