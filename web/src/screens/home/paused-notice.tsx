import { CirclePause } from 'lucide-react';
import { useCart } from '@/entities/cart/queries';
import { Notice } from '@/ui/feedback/notice';

/** Says, on phones where the cart is not beside the menu, that the chosen shop takes no orders for a while. */
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
