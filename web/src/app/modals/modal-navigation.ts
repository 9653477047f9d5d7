import { closeAllModals } from '@/ui/modals/modal-store';
import { historyDepth, whenHistoryRests } from './modal-history';

interface NavigateOptions {
  replace?: boolean;
}

/**
 * Goes to another page from inside a modal: the new page takes the place of the modal's entry in the
 * history, so that Back leads to the page under the modal, and the modals close. When a modal has just
 * closed, it first waits until the browser is back on the page under that modal.
 */
export function navigateFromModal<Options extends NavigateOptions>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  const go = () => {
    const replace = options?.replace || historyDepth() > 0;
    navigate(to, { ...options, replace } as Options);
  };
  whenHistoryRests(go);
  closeAllModals();
}
