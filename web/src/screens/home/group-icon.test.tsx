import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeGroup } from '@/testing/fixtures';
import { GroupIcon } from './group-icon';

it('a group shows the drawing that its content names, and nothing without one', () => {
  const shown = render(<GroupIcon group={makeGroup({ icon: '/media/1.svg' })} size="small" />);
  const image = shown.container.querySelector('img');
  // The name of the group is beside the icon, so the icon has no text of its own.
  expect(image?.getAttribute('src')).toBe('/media/1.svg');
  expect(image?.getAttribute('alt')).toBe('');
  shown.rerender(<GroupIcon group={makeGroup()} size="small" />);
  expect(shown.container.querySelector('img')).toBeNull();
});
