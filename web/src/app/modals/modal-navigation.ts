import { closeAllModals } from '@/ui/modals/modal-store';
import { historyDepth, whenHistoryRests } from './modal-history';

interface NavigateOptions {
  replace?: boolean;
}

/**
 * Navigates and closes all modals. From inside a modal the new page replaces the modal's entry in the history,
 * so that Back leads to the page under the modal. While the browser is still going back from a closed modal, it
 * waits first.
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
