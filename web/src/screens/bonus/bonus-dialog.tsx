import { Trans } from '@lingui/react/macro';
import { useCity } from '@/entities/city/context';
import { Button } from '@/ui/button';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { Sheet } from '@/ui/sheet';
import { BonusBalance } from './bonus-balance';
import { BonusFacts } from './bonus-facts';
import { NoProgramme } from './no-programme';

/** The dialog about the bonus programme: balance and rules, or that the city has none. */
export default function BonusDialog() {
  const { close } = useModalFrame();
  const { bonus_programme: programme } = useCity();
  return (
    <Sheet
      title={<Trans id="common.bonuses">Bonuses</Trans>}
      size="small"
      footer={
        <Button onClick={close} wide>
          <Trans id="common.close">Close</Trans>
        </Button>
      }
    >
      {programme ? (
        <>
          <BonusBalance />
          <BonusFacts programme={programme} />
        </>
      ) : (
        <NoProgramme />
      )}
    </Sheet>
  );
}
