import { useLingui } from '@lingui/react/macro';
import type { ShownLine } from '@/entities/cart/changes';
import { useChangeCart } from '@/entities/cart/queries';
import { isSold } from '@/entities/cart/rules';
import { flash } from '@/ui/flash/flash-store';

/**
 * Returns a function that removes a line at once and shows a message, which can restore a line that is still
 * sold.
 */
export function useRemoveLine() {
  const { t } = useLingui();
  const { removeLine, restoreLine } = useChangeCart();
  return (shown: ShownLine, name: string) => {
    const { key, line } = shown;
    removeLine(key);
    // A dish that is no longer available cannot be restored.
    const canReturn = !line || isSold(line);
    const action = {
      label: t({ id: 'checkout.cart.bring-back', message: 'Undo' }),
      run: () => restoreLine(shown),
    };
    flash(
      t({ id: 'checkout.cart.removed', message: `Removed: ${name}` }),
      canReturn ? { action } : {},
    );
  };
}
