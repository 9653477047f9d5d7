import { useLingui } from '@lingui/react/macro';
import { useState, useSyncExternalStore } from 'react';
import type { Schema } from '@/api/types';
import { createStore } from '@/lib/store';
import { flash } from '@/ui/flash/flash-store';
import { useWhileShown } from '@/ui/hooks/use-while-shown';

type Coordinates = Schema<'Coordinates'>;

const position = createStore<Coordinates | undefined>(undefined);

/** How long the device may take to find its position, in milliseconds. */
const longestWait = 10_000;

/**
 * Returns the visitor's last known position and the function `find`, which requests a new position. The position
 * is stored in memory only. When the device cannot or may not find it, `find` resolves to undefined, and shows a
 * message while the component is shown.
 */
export function usePosition() {
  const { t } = useLingui();
  const known = useSyncExternalStore(position.subscribe, position.get, () => undefined);
  const [isLooking, setLooking] = useState(false);
  const showFailure = useWhileShown(() =>
    flash(
      t({
        id: 'place.position.position-not-known',
        message: 'We could not find your location. Type the address or point to it on the map.',
      }),
      { tone: 'warning' },
    ),
  );
  const find = async (): Promise<Coordinates | undefined> => {
    setLooking(true);
    try {
      const { latitude, longitude } = await locate();
      const found = { latitude, longitude };
      position.set(found);
      return found;
    } catch {
      showFailure();
      return undefined;
    } finally {
      setLooking(false);
    }
  };
  return { position: known, isLooking, find };
}

/** Returns the position that the browser reports; rejects when it reports none. */
function locate(): Promise<GeolocationCoordinates> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) reject(new Error('no geolocation'));
    else
      navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), reject, {
        timeout: longestWait,
        maximumAge: 60_000,
        enableHighAccuracy: true,
      });
  });
}
