import { t } from '@lingui/core/macro';
import { ApiFault, type Failure } from '@/api/result';
import { flash } from '../flash/flash-store';
import { openModal } from '../modals/modal-store';

/** Shows the failure of an ApiFault by showFailure; throws any other error again. */
export function showFault(error: Error): void {
  if (!(error instanceof ApiFault)) throw error;
  showFailure(error.failure);
}

/**
 * Shows a failure over the page: a server's error in a modal, others as a message; nothing for an ended session
 * that was announced already. Use it only for failures that no field or place on the page can show.
 */
export function showFailure(failure: Failure): void {
  if (failure.kind === 'unauthenticated' && failure.isAnnounced) return;
  switch (failure.kind) {
    case 'offline':
      flash(
        t({
          id: 'ui.show-failure.no-connection',
          message: 'No connection. Check the network and try again.',
        }),
        { tone: 'error' },
      );
      return;
    case 'unavailable':
      flash(
        failure.message ||
          t({
            id: 'ui.show-failure.service-busy',
            message: 'The service is busy. Try again in a minute.',
          }),
        { tone: 'error' },
      );
      return;
    case 'tooMany':
      flash(
        failure.message ||
          t({
            id: 'ui.show-failure.too-many-attempts',
            message: 'Too many attempts. Wait a little and try again.',
          }),
        {
          tone: 'warning',
        },
      );
      return;
    case 'server':
      openModal('server-error', { message: failure.message, reference: failure.reference });
      return;
    case 'invalid':
    case 'unauthenticated':
    case 'forbidden':
    case 'notFound':
    case 'conflict':
      flash(
        failure.message ||
          t({ id: 'common.failed-try-again', message: 'Something went wrong. Try again.' }),
        { tone: 'error' },
      );
  }
}
