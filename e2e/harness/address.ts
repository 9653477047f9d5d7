import { randomInt } from 'node:crypto';

/** Returns a random network address, so that tests do not share the limits on an address. */
export const newAddress = (): string => {
  const part = () => randomInt(1, 255);
  return `10.${part()}.${part()}.${part()}`;
};
