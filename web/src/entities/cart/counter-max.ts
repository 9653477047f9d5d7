/**
 * The `max` of every counter of portions. One product may be ordered up to 100 times, and more is
 * blocked as soon as 100 − multiplicity is reached; a counter adds while count + step ≤ max.
 */
export const counterMax = 99;
