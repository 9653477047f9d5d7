import { Trans, useLingui } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/entities/city/context';
import { usePageTitle } from '@/entities/site/page-title';
import { CityWords } from '@/entities/words/city-words';
import { ButtonLink } from '@/ui/link';
import { BonusBalance } from './bonus-balance';
import { BonusFacts } from './bonus-facts';
import { NoProgramme } from './no-programme';

/** The page about the bonuses of the city: balance, rules and the brand's own text, or that there is no programme. */
export function BonusPage() {
  const { t } = useLingui();
  const city = useCity();
  const path = useCityPath();
  const where = city.seo_name;
  usePageTitle(t({ id: 'bonus.bonuses-where', message: `Bonuses ${where}` }));
  const { bonus_programme: programme } = city;
  const toMenu = (
    <ButtonLink look="secondary" href={path()}>
      <Trans id="common.to-menu">To the menu</Trans>
    </ButtonLink>
  );
  return (
    <main className="mx-auto max-w-2xl px-4 py-6">
      <h1 className="title text-display">
        <Trans id="common.bonuses">Bonuses</Trans>
      </h1>
      <div className="py-4">
        {programme ? (
          <>
            <BonusBalance />
            <BonusFacts programme={programme} />
          </>
        ) : (
          <NoProgramme action={toMenu} />
        )}
      </div>
      <div className="pb-6 empty:hidden">
        <CityWords alias="bonus" />
      </div>
      {programme && toMenu}
    </main>
  );
}
