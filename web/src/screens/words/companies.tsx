import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { LegalName } from '@/entities/city/legal-name';
import { shopsQuery } from '@/entities/city/queries';

/** The companies of the city's shops with the addresses of those shops; nothing when no company is known. */
export function Companies({ cityId }: { cityId: number }) {
  const { data: shops = [] } = useQuery(shopsQuery(cityId));
  const named = shops.filter((shop) => shop.company_name);
  const names = [...new Set(named.map((shop) => shop.company_name ?? ''))];
  if (names.length === 0) return null;
  return (
    <section className="mt-6">
      <h2 className="mb-2 title text-title">
        <Trans id="words.who-sells-here">Who sells here</Trans>
      </h2>
      <ul className="grid gap-4 wrap-break-word">
        {names.map((name) => {
          const own = named.filter((shop) => shop.company_name === name);
          return (
            <li key={name}>
              <p className="strong">
                <LegalName name={name} inn={own[0]?.inn} ogrn={own[0]?.ogrn} />
              </p>
              {own.map((shop) => (
                <p key={shop.id} className="text-ink-soft">
                  {shop.address.street}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
