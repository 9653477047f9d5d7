import { CirclePause } from 'lucide-react';
import { useCart } from '@/entities/cart/queries';
import { Notice } from '@/ui/feedback/notice';

/**
 * The notice that the chosen shop has paused orders; only on phones, since on desktop the cart beside the menu
 * shows it.
 */
export function PausedNotice() {
  const pause = useCart().cart?.messages.find(({ icon }) => icon === 'pause');
  return (
    pause && (
      <div className="px-4 pb-3 desktop:hidden">
        <Notice tone="warn" icon={CirclePause}>
          {pause.text}
        </Notice>
      </div>
    )
  );
}
