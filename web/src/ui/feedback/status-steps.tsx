import { Trans } from '@lingui/react/macro';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../classes';
import { Icon } from '../icon';

export interface StatusStep {
  id: string;
  name: ReactNode;
  /** When it was reached; absent before. */
  reachedAt?: string;
}

interface StatusStepsProps {
  steps: readonly StatusStep[];
  current: string;
  /** Whether the current step is done too, because nothing comes after it. */
  isFinished?: boolean;
}

/** The steps of an order as a list that marks the done steps and the current step. */
export function StatusSteps({ steps, current, isFinished = false }: StatusStepsProps) {
  const now = steps.findIndex((step) => step.id === current);
  const isDone = (place: number) => place < now || (isFinished && place === now);
  return (
    <ol className="flex flex-col desktop:flex-row">
      {steps.map((step, place) => (
        <li
          key={step.id}
          aria-current={place === now ? 'step' : undefined}
          className="flex flex-1 gap-3 pb-4 last:pb-0 desktop:flex-col desktop:gap-2 desktop:pb-0"
        >
          <span className="flex flex-col items-center gap-1 desktop:flex-row">
            <span
              className={classes(
                'grid size-8 shrink-0 place-items-center rounded-full border-2',
                isDone(place) && 'border-accent bg-accent text-on-accent',
                place === now && !isFinished && 'border-accent-ink bg-tint text-on-tint',
                place > now && 'border-line text-ink-soft',
              )}
            >
              {isDone(place) ? (
                <Icon of={Check} size="small" />
              ) : (
                <span className="numeral text-note">{place + 1}</span>
              )}
            </span>
            <span
              aria-hidden="true"
              className={classes(
                'w-0.5 flex-1 desktop:h-0.5 desktop:w-auto',
                place === steps.length - 1 && 'invisible',
                place < now ? 'bg-accent-ink' : 'bg-line',
              )}
            />
          </span>
          <span className="min-w-0 pt-1 desktop:pt-0 desktop:pe-3">
            <span
              className={classes(
                'block',
                place === now ? 'strong' : place > now && 'text-ink-soft',
              )}
            >
              {step.name}
              {isDone(place) && (
                <span className="sr-only">
                  {' '}
                  <Trans id="ui.status-steps.done">done</Trans>
                </span>
              )}
            </span>
            {step.reachedAt && (
              <span className="numeral-column text-note text-ink-soft">{step.reachedAt}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
