import { useLingui } from '@lingui/react/macro';
import { ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '@/ui/icon-button';

/** The button that scrolls to the top; shown once the visitor has scrolled far down. */
export function ScrollToTop() {
  const { t } = useLingui();
  const isFar = useScrolledFar();
  if (!isFar) return null;
  return (
    // On desktop it stands in the gap before the cart's column, clear of the sums and buttons of both sides.
    <span className="fixed inset-e-[calc(1rem+var(--side-inset))] inset-be-(--bars-height) z-30 animate-[appear_var(--motion)_ease-out] desktop:inset-e-[calc(max(0px,50%-45rem)+366px)] desktop:inset-be-6">
      <IconButton
        icon={ArrowUp}
        label={t({ id: 'app.frame.back-to-top', message: 'Back to the top' })}
        look="floating"
        onClick={() => scrollTo({ top: 0, behavior: 'instant' })}
      />
    </span>
  );
}

/** How far down the button appears, in CSS pixels. */
const far = 1500;

/** Returns whether the page is scrolled down by more than `far`. */
function useScrolledFar(): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const update = () => setFar(scrollY > far);
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);
  return isFar;
}
