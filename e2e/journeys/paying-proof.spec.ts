import { BankPage } from '../harness/bank.ts';
import { expectAgreement, orderToPay } from '../harness/paying.ts';
import { expectSound } from '../harness/screen.ts';
import { expect, test } from '../harness/test.ts';
import { begin, cardOnBankPage, cardOnOurPage } from '../harness/ways.ts';

test.describe('3-D Secure on the bank’s page', () => {
  const way = cardOnBankPage;
  test.use({ ...way.device, brand: way.spot.brand, language: way.language });

  test('fails, is left in the middle and passed: the order is paid once', async ({ payment, stranger, bank, reply }) => {
    test.setTimeout(90_000);
    const order = await orderToPay(stranger, way.spot, way.type);
    const paying = { order, screen: payment, bank };
    const bankPage = new BankPage(payment.page);
    await payment.open(order);

    await test.step('the customer denies the payment', async () => {
      await way.end(paying, 'three_ds_1');
      await bankPage.completeChallenge(false);
      await payment.expectRefused(reply('pay.three_ds_failed'));
    });

    await test.step('the customer leaves the question alone, and it waits', async () => {
      await begin(way, paying);
      await way.end(paying, 'three_ds_2');
      await expect(bankPage.challengeButton()).toBeVisible();
      await expectSound(payment.page, 'bank’s page of 3-D Secure');
      await payment.open(order);
      await expectAgreement(order, bank, 'waiting', 2);
      await payment.button('Continue to your bank').click();
    });

    await test.step('the customer confirms the payment', async () => {
      await bankPage.completeChallenge(true);
      await payment.expectPaid();
      await expectAgreement(order, bank, 'paid', 2);
    });
  });
});

test.describe('3-D Secure in a frame of our page', () => {
  const way = cardOnOurPage;
  test.use({ ...way.device, brand: way.spot.brand, language: way.language });

  test('fails, is refused by the bank, is closed in the middle and passed: the order is paid once', async ({
    payment,
    stranger,
    bank,
    reply,
  }) => {
    test.setTimeout(90_000);
    const order = await orderToPay(stranger, way.spot, way.type);
    await payment.open(order);

    await test.step('version 1, and the customer denies the payment', async () => {
      await payment.payBy(await bank.card('three_ds_1'));
      await expect(payment.challengeButton(false)).toBeVisible();
      await expectSound(payment.page, '3-D Secure in a frame');
      await payment.challengeButton(false).click();
      await payment.expectRefused(reply('pay.three_ds_failed'));
    });

    await test.step('version 2, passed, and the card has no money', async () => {
      await payment.payBy(await bank.card('three_ds_2_declined'));
      await payment.challengeButton(true).click();
      await payment.expectRefused(reply('pay.insufficient_funds'));
    });

    await test.step('version 2, closed and gone on with after a reload', async () => {
      await payment.payBy(await bank.card('three_ds_2'));
      await expect(payment.challengeButton(true)).toBeVisible();
      await payment.page.keyboard.press('Escape');
      await expect(payment.button('Confirm at your bank')).toBeVisible();
      await expectSound(payment.page, '3-D Secure left alone');
      await payment.page.reload();
      await payment.button('Confirm at your bank').click();
      await payment.challengeButton(true).click();
      await payment.expectPaid();
      await expectAgreement(order, bank, 'paid', 3);
    });
  });

  for (const card of ['three_ds_1', 'three_ds_2', 'three_ds_2_plain', 'three_ds_2_frictionless']) {
    test(`is passed with the card ${card}`, async ({ payment, stranger, bank }) => {
      const order = await orderToPay(stranger, way.spot, way.type);
      await payment.open(order);
      await payment.payBy(await bank.card(card));
      if (!card.endsWith('frictionless')) await payment.challengeButton(true).click();
      await payment.expectPaid();
      await expectAgreement(order, bank, 'paid', 1);
    });
  }
});
