import type { Stop } from './stops.ts';

/** Returns a stop that opens a form on the delivery page. */
const form = (modal: string): Stop => ({ show: (tour) => tour.openByAddress(modal, '/delivery') });

/** The stops that show forms to the brand, by the names of their dialogs. */
export const formStops: Record<string, Stop> = Object.fromEntries(
  ['call-me-back', 'feedback', 'supplier', 'landlord', 'return-request'].map((name) => [`modal ${name}`, form(name)]),
);
