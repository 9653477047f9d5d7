import { useLingui } from '@lingui/react/macro';
import type { ShownLine } from '@/entities/cart/changes';
import { useChangeCart } from '@/entities/cart/queries';
import { isSold } from '@/entities/cart/rules';
import { flash } from '@/ui/flash/flash-store';

/** Takes a line out at once and offers it back for as long as the message stays. */
export function useRemoveLine() {
  const { t } = useLingui();
  const { forget, bringBack } = useChangeCart();
  return (shown: ShownLine, name: string) => {
    const { key, line } = shown;
    forget(key);
    // What cannot be had any more could not be put back either.
    const canReturn = !line || isSold(line);
    const action = { label: t`Bring back`, run: () => bringBack(shown) };
    flash(t`Removed: ${name}`, canReturn ? { action } : {});
  };
}
