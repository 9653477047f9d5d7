import { useLingui } from '@lingui/react/macro';
import type { Schema } from '@/api/types';

type Details = Schema<'AddressDetails'>;

/** Returns a function that writes the details of an address in one line, without the comment for the courier. */
export function useDetailsLine() {
  const { t } = useLingui();
  return (details: Details): string => {
    const { room, building, entrance, floor, intercom, landmark } = details;
    const { rear_building: rearBuilding, bell_name: bellName } = details;
    return [
      details.private_house && t({ id: 'common.address.private-house', message: 'private house' }),
      building && t({ id: 'common.address.building', message: `building: ${building}` }),
      rearBuilding &&
        t({ id: 'common.address.rear-building', message: `rear building: ${rearBuilding}` }),
      room && t({ id: 'common.address.room', message: `apt. ${room}` }),
      entrance && t({ id: 'common.address.entrance', message: `entrance ${entrance}` }),
      floor && t({ id: 'common.address.floor', message: `floor ${floor}` }),
      intercom && t({ id: 'common.address.intercom', message: `intercom ${intercom}` }),
      bellName && t({ id: 'common.address.bell-name', message: `doorbell: ${bellName}` }),
      landmark && t({ id: 'common.address.landmark', message: `landmark: ${landmark}` }),
    ]
      .filter(Boolean)
      .join(', ');
  };
}
