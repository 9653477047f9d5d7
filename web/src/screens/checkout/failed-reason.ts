import { ApiFault } from '@/api/result';

/** Returns the server's message why something could not be loaded; undefined when it sent none. */
export const failedReason = (error: Error): string | undefined =>
  error instanceof ApiFault && 'message' in error.failure
    ? error.failure.message || undefined
    : undefined;
