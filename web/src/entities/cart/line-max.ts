import { countOf, type ShownLine } from './changes';
import { counterMax } from './counter-max';

/** Returns the `max` of a line's counter: what the product's other lines in the cart leave of `counterMax`. */
export const lineMax = (lines: readonly ShownLine[], { productKey, count }: ShownLine): number =>
  counterMax - countOf(lines, productKey) + count;
