import { Caller } from '../harness/caller.ts';
import { newCustomer, saveAddress, signIn, signInLink } from '../harness/customers.ts';
import { Storefront } from '../harness/storefront.ts';
import { phone } from '../harness/screen.ts';
import { expect, openWithBody, test } from '../harness/test.ts';

test.use(phone);

const dish = 'Вок с курицей терияки';

test('Back closes a modal, keeps the scroll and returns the focus back', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const opener = shop.dish(dish).getByRole('button', { name: dish, exact: true });
  await opener.scrollIntoViewIfNeeded();
  const element = await opener.elementHandle(); // a dialog hides the page from its locators
  const topOf = () => element?.evaluate((button) => button.getBoundingClientRect().top);
  const dialog = await shop.open(dish);
  const scroll = await page.evaluate(() => window.scrollY);
  expect(scroll).toBeGreaterThan(0);
  const top = await topOf();

  await page.mouse.wheel(0, 2000);
  const places = await page.evaluate(async () => {
    const seen: number[] = [];
    for (let frame = 0; frame < 20; frame++) {
      await new Promise(requestAnimationFrame);
      seen.push(scrollY);
    }
    return seen;
  });
  expect(new Set(places)).toEqual(new Set([scroll]));

  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/moscow(\?group=[\w-]+)?$/);
  await expect(opener).toBeFocused();
  // Dishes above may get their heights meanwhile: what is seen stays where it was.
  expect(Math.abs(((await topOf()) ?? Number.NaN) - (top ?? 0))).toBeLessThan(4);
});

test('Escape and the cross close a modal', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  const dialog = await shop.open(dish);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await shop.open(dish);
  await dialog.getByRole('button', { name: say('Close') }).click();
  await expect(dialog).toBeHidden();
});

test('a link opens its modal, and closing clears the address', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await page.goto('/moscow?modal=product&product=filadelfiya');
  const dialog = shop.dialog();
  await expect(dialog.getByRole('heading', { name: 'Филадельфия', exact: true }).first()).toBeVisible();
  await dialog.getByRole('button', { name: say('Close') }).click();
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/modal/);
});

test('a link opens the cart, a reload keeps it, and Back leads to the menu', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  for (const query of ['modal=cart', 'view=cart']) {
    await page.goto(`/moscow?${query}`);
    await expect(page).toHaveURL(/\/moscow\/cart$/);
    await expect(page.getByRole('list', { name: say('Products in the cart') })).toBeVisible();
    await page.reload();
    await expect(page).toHaveURL(/\/moscow\/cart$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/moscow$/);
    await shop.ready();
  }
});

test('a link to a group leads to it, and the address follows the scroll', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await page.goto('/moscow?group=wok');
  await shop.ready();
  await expect(page.getByRole('region', { name: 'Вок', exact: true })).toBeInViewport();
  await page.getByRole('region', { name: 'Супы' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 300);
  await expect(page).toHaveURL(/group=(?!wok)[\w-]+/);
});

test('an address that was checked on the page of delivery leads to the menu, and Back to that page', async ({
  page,
  say,
}) => {
  const shop = new Storefront(page, say);
  await page.goto('/moscow/delivery');
  await shop.button('Check the address').click();
  const dialog = shop.dialog();
  await shop.enterAddress(dialog, 'Новослободская 20', /Новослободская/);
  await dialog.getByRole('textbox', { name: say('Apartment or office') }).fill('5');
  await dialog.getByRole('button', { name: say('Deliver here') }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/moscow$/);
  await shop.ready();
  await expect(page).toHaveURL(/\/moscow$/);
  await expect(shop.promiseButton()).toContainText('Новослободская');
  await page.goBack();
  await expect(page).toHaveURL(/\/moscow\/delivery$/);
});

test('a button that is pressed while the page starts is answered once, when it has', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await openWithBody(page, '/moscow/delivery');
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/entry-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/moscow/delivery', { waitUntil: 'commit' });
  const button = shop.button('Check the address');
  await button.click();
  await button.click();
  release();
  await expect(shop.dialog().getByRole('combobox', { name: say('Street and house') })).toBeVisible();
  await expect(shop.dialog()).toHaveCount(1);
  await page.goBack();
  await expect(shop.dialog()).toBeHidden();
  await expect(page).toHaveURL(/\/moscow\/delivery$/);
  await expect(button).not.toHaveAttribute('data-pressed-early');
});

test('a button that is pressed later is not marked, also where the page was rendered in the browser', async ({ page, say }) => {
  await page.addInitScript(() => {
    // Scripts run right after this, and find a document that has no body.
    document.addEventListener('readystatechange', () => {
      if (document.readyState === 'interactive') document.getElementById('root')?.replaceChildren();
    });
  });
  await page.goto('/moscow/delivery');
  const shop = new Storefront(page, say);
  await shop.button('Check the address').click();
  await expect(shop.dialog()).toBeVisible();
  await expect(page.locator('[data-pressed-early]')).toHaveCount(0);
});

test('a saved address in another city opens that city, where the order goes there', async ({
  page,
  say,
  program,
  stranger,
}) => {
  const shop = new Storefront(page, say);
  const customer = newCustomer('sushi');
  const atHome = new Caller(program, 'sushi');
  await signIn(atHome, customer);
  const { address } = await saveAddress(atHome, 'moscow', 'Новослободская 20');
  await page.goto(await signInLink(stranger, customer));
  await expect(page).not.toHaveURL(/auth/);
  await shop.openHome('kazan');
  const dialog = await shop.openPlace();
  await dialog.getByRole('button', { name: address }).first().click();
  await shop.button('Deliver there').click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/moscow$/);
  await shop.ready();
  await expect(page).toHaveURL(/\/moscow$/);
  await expect(shop.promiseButton()).toContainText(address);
  await page.goBack();
  await expect(page).toHaveURL(/\/kazan$/);
});

test('a change of language in place keeps the cart and what is half typed', async ({ page, say }) => {
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await shop.add('Эдамаме с морской солью');
  await shop.goToCart();
  await shop.goToForm();
  await page.getByRole('textbox', { name: say('Your name') }).fill('Анна');
  await page.getByRole('textbox', { name: say('Phone') }).pressSequentially('916');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await page.getByRole('combobox', { name: say('Language') }).filter({ visible: true }).selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByText('Edamame mit Meersalz').filter({ visible: true }).first()).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await expect(page.getByRole('textbox', { name: /Name/ })).toHaveValue('Анна');
  await expect(page.locator('input[type=tel]')).toHaveValue(/916/);

  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('a counter answers at once and goes back with the reason when the change is refused', async ({
  page,
  say,
  watch,
}) => {
  watch.expectRefusal(/^\/api\/cart\/add$/, 422);
  const shop = new Storefront(page, say);
  await shop.openHome('moscow');
  await shop.pickUpAt('Умико на Новослободской');
  await page.route('**/api/cart/add', (route) =>
    route.fulfill({
      status: 422,
      json: { message: 'Эдамаме сегодня больше нет', errors: { product: ['Эдамаме сегодня больше нет'] } },
    }),
  );
  const edamame = 'Эдамаме с морской солью';
  await shop.dish(edamame).getByRole('button', { name: say('Add to cart: {name}, {written}') }).click();
  await expect(page.getByText('Эдамаме сегодня больше нет')).toBeVisible();
  await expect(
    shop.dish(edamame).getByRole('button', { name: say('Add to cart: {name}, {written}', { name: edamame }) }),
  ).toBeVisible();
});
