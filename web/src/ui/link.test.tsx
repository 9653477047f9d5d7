import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { Link } from './link';

test.each([
  ['/moscow/shops', true],
  ['/licences.txt', false],
  ['https://example.com/', false],
])('%s is followed in place: %s', (href, inPlace) => {
  const { hook, history } = memoryLocation({ path: '/', record: true });
  render(
    <Router hook={hook}>
      <Link href={href}>link</Link>
    </Router>,
  );
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0 });
  screen.getByRole('link').dispatchEvent(event);
  expect(event.defaultPrevented).toBe(inPlace);
  expect(history).toHaveLength(inPlace ? 2 : 1);
});
