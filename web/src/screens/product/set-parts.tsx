import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { Schema } from '@/api/types';
import { productsByKey, useMenu } from '@/entities/menu/queries';

/**
 * The parts of a set with their counts, and the notice of each part that is sold out; nothing for a product that
 * is no set.
 */
export function SetParts({ parts = [] }: { parts?: readonly Schema<'SetPart'>[] }) {
  const { data: menu } = useMenu();
  const byKey = useMemo(() => menu && productsByKey(menu), [menu]);
  if (parts.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 text-lead strong">
        <Trans id="product.set-parts.in-set">In the set</Trans>
      </h3>
      <ul className="flex flex-col gap-1">
        {parts.map(({ product_key: key, name, count }) => {
          const part = byKey?.get(key);
          return (
            <li key={key}>
              {count > 1 ? `${name} × ${count}` : name}
              {part?.type === 'stop' && (
                <span className="block text-note text-warn">{part.alert}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
