import { useLingui } from '@lingui/react/macro';
import { Search } from 'lucide-react';
import { useEffect } from 'react';
import { IconButton } from '@/ui/icon-button';
import { depthOf } from '@/ui/modals/modal-state';
import { modals, openModal } from '@/ui/modals/modal-store';

/**
 * The button that opens the search of the menu. The key "/" also opens it, outside text fields and while no
 * modal is open.
 */
export function SearchButton() {
  const { t } = useLingui();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || depthOf(modals.get()) > 0) return;
      if (target instanceof Element && target.closest('input, textarea, select')) return;
      event.preventDefault();
      openModal('search');
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <IconButton
      icon={Search}
      label={t({ id: 'search.search-menu', message: 'Search the menu' })}
      aria-haspopup="dialog"
      aria-keyshortcuts="/"
      onClick={() => openModal('search')}
    />
  );
}
