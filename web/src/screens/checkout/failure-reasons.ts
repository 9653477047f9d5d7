import type { Failure } from '@/api/result';

/** Returns what the server said about an order that it refused, each sentence once. */
export function reasonsOf(failure: Failure): string[] {
  if (failure.kind === 'offline') return [];
  const fields = failure.kind === 'invalid' ? Object.values(failure.fields) : [];
  return [...new Set([failure.message, ...fields])].filter(Boolean);
}
