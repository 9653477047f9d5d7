import { useLingui } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/entities/city/context';
import { Link } from '@/ui/link';
import { Picture } from '@/ui/picture';
import { ScrollRow } from '@/ui/scroll-row';

/** The city's promotions in a row, each a link to its text; nothing when there are none. */
export function PromoRow() {
  const { t } = useLingui();
  const { promotions } = useCity();
  const path = useCityPath();
  if (promotions.length === 0) return null;
  return (
    <ScrollRow label={t({ id: 'common.promotions', message: 'Promotions' })} itemWidth="banner">
      {promotions.map((promotion, place) => (
        <Link
          key={promotion.alias}
          look="plain"
          href={path(`/promotions?alias=${encodeURIComponent(promotion.alias)}`)}
        >
          <Picture picture={promotion.images.big} alt="" shape="banner" eager={place === 0} />
          <span lang={promotion.lang} className="mt-2 block strong">
            {promotion.name}
          </span>
          {promotion.subtitle && (
            <span lang={promotion.lang} className="block text-note text-ink-soft">
              {promotion.subtitle}
            </span>
          )}
        </Link>
      ))}
    </ScrollRow>
  );
}
