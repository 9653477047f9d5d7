import { within } from '@testing-library/react';
import { act, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { SegmentedSwitch } from './segmented-switch';

const options = [
  { value: 'list', label: 'List' },
  { value: 'map', label: 'Map' },
];

function View() {
  const [view, setView] = useState('list');
  return (
    <>
      <SegmentedSwitch label="View" value={view} onChange={setView} options={options} />
      <output>{view}</output>
    </>
  );
}

it('a choice that is made before the page hydrates is kept', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(<View />);
  const map = within(root).getByRole<HTMLInputElement>('radio', { name: 'Map' });
  map.click();
  const mounted = await act(() => hydrateRoot(root, <View />));
  expect(within(root).getByRole('status').textContent).toBe('map');
  expect(map.checked).toBe(true);
  act(() => mounted.unmount());
  root.remove();
  vi.unstubAllGlobals();
});
