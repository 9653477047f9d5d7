import { api } from '@/api/client';
import type { IdempotencyHeader } from '@/api/idempotency';
import { attempt, type Result } from '@/api/result';
import { repeatLost, repeatUntilKnown } from '@/api/retry';
import type { Schema } from '@/api/types';
import { bodyOf, type FormKind, type FormValues } from './form-rules';

type Done = Schema<'Done'>;

/** Sends a form, again while its answer is lost. Every repeat of the same form must have the same header. */
export const sendForm = (...form: Parameters<typeof sendOnce>): Promise<Result<Done>> =>
  repeatUntilKnown(() => sendOnce(...form), { policy: repeatLost });

function sendOnce(
  kind: FormKind,
  values: FormValues,
  mask: string,
  cityId: number,
  header: IdempotencyHeader,
): Promise<Result<Done>> {
  const params = { header };
  switch (kind) {
    case 'call-me-back': {
      const body = bodyOf[kind](values, mask, cityId);
      return attempt(api.POST('/feedback/call-me-back', { body, params }));
    }
    case 'feedback': {
      const body = bodyOf[kind](values, mask, cityId);
      return attempt(api.POST('/feedback/questions', { body, params }));
    }
    case 'supplier': {
      const body = bodyOf[kind](values, mask, cityId);
      return attempt(api.POST('/feedback/supplier-request', { body, params }));
    }
    case 'landlord': {
      const body = bodyOf[kind](values, mask, cityId);
      return attempt(api.POST('/feedback/landlord-request', { body, params }));
    }
    case 'return-request': {
      const body = bodyOf[kind](values, mask, cityId);
      return attempt(api.POST('/feedback/return-request', { body, params }));
    }
  }
}
