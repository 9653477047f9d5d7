/** The header of a change that may be sent twice and must happen once. */
export interface IdempotencyHeader {
  'Idempotency-Key': string;
}

/**
 * Returns the header with a fresh key for one act of the visitor. Make it when they act and reuse
 * it for every repeat of that act: `params: { header: idempotency() }`.
 */
export function idempotency(): IdempotencyHeader {
  // randomUUID exists only on https and localhost; getRandomValues everywhere.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { 'Idempotency-Key': key };
}
