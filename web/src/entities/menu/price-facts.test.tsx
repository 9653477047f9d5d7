import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { makeProduct } from '@/testing/fixtures';
import { renderInCity } from '@/testing/render';
import { PriceFacts } from './price-facts';

describe('facts beside a price', () => {
  it('are the deposit, the price of a litre and the lowest price of 30 days', () => {
    const product = makeProduct({
      deposit: 0.25,
      unit_price: { amount: 7.58, unit: 'l' },
      lowest_price: 2.4,
    });
    const { container } = renderInCity(<PriceFacts product={product} />);
    expect(screen.getByText(/^plus .*0\.25.* deposit$/)).toBeTruthy();
    expect(screen.getByText(/7\.58.* \/ l$/)).toBeTruthy();
    expect(screen.getByText(/^Lowest price in 30 days: .*2\.40/)).toBeTruthy();
    expect(container.textContent).not.toContain('undefined');
  });

  it('are none where the country requires none', () => {
    const { container } = renderInCity(<PriceFacts product={makeProduct({})} />);
    expect(container.textContent).toBe('');
  });
});
