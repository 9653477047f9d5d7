import { Trans } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icon';

interface SectionProps {
  title: ReactNode;
  /** The summary in one line that is shown while the section is folded. */
  summary?: ReactNode;
  /** Whether the section is complete; only a complete section can be folded. */
  isDone?: boolean;
  isOpen: boolean;
  /** Called when the section is opened or closed; absent for one that is always open. */
  onToggle?: (open: boolean) => void;
  /** What is wrong with the section as a whole. */
  error?: ReactNode;
  children: ReactNode;
}

/** A titled section of the checkout, which can be folded to its summary. */
export function Section({
  title,
  summary,
  isDone = false,
  isOpen,
  onToggle,
  error,
  children,
}: SectionProps) {
  const id = useId();
  const isFolded = !isOpen && isDone;
  return (
    <section aria-labelledby={id} className="border-b border-line py-5 last:border-b-0">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 id={id} className="title flex min-w-0 items-center gap-2 text-lead">
          {title}
          {isDone && (
            <span className="text-good">
              <Icon of={Check} size="small" />
            </span>
          )}
        </h2>
        {onToggle && isDone && (
          <Button
            look="quiet"
            size="small"
            aria-expanded={isOpen}
            aria-describedby={id}
            onClick={() => onToggle(isFolded)}
          >
            {isFolded ? (
              <Trans id="checkout.change">Change</Trans>
            ) : (
              <Trans id="common.done">Done</Trans>
            )}
          </Button>
        )}
      </div>
      {isFolded ? <p className="min-w-0">{summary}</p> : <div className="pt-2">{children}</div>}
      {error && (
        <p data-problem tabIndex={-1} className="mt-2 text-note text-danger">
          {error}
        </p>
      )}
    </section>
  );
}
