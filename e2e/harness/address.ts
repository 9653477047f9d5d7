import { randomInt } from 'node:crypto';

/** A network address that no other test comes from. */
export const newAddress = (): string => {
  const part = () => randomInt(1, 255);
  return `10.${part()}.${part()}.${part()}`;
};
