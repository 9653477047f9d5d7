import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Schema } from '@/api/types';
import { setAvoided, useAvoided } from '@/entities/allergens/avoided';
import { allergensInMenu } from '@/entities/allergens/known-allergens';
import { useCity } from '@/entities/city/context';
import { useMenu } from '@/entities/menu/queries';
import { useLanguage } from '@/i18n/use-language';
import { Button } from '@/ui/button';
import { Checkbox } from '@/ui/fields/checkbox';
import { useModalFrame } from '@/ui/modals/modal-frame';
import { Sheet } from '@/ui/sheet';

/** The dialog in which the visitor chooses the allergens to avoid. Each tick is stored at once on this device. */
export default function AllergensDialog() {
  const { t } = useLingui();
  const { close } = useModalFrame();
  const avoided = useAvoided();
  const allergens = useAllergens();
  const done = useRef<HTMLButtonElement>(null);
  const change = (alias: string, isAvoided: boolean) => {
    const others = avoided.filter((other) => other !== alias);
    setAvoided(isAvoided ? [...others, alias] : others);
  };
  const clear = () => {
    setAvoided([]);
    // The pressed button is gone then.
    done.current?.focus();
  };
  return (
    <Sheet
      title={t({ id: 'allergens.i-do-not-eat', message: 'I do not eat' })}
      size="small"
      footer={
        <div className="flex gap-3">
          {avoided.length > 0 && (
            <Button look="secondary" onClick={clear}>
              <Trans id="allergens.clear">Clear</Trans>
            </Button>
          )}
          <span className="flex-1">
            <Button ref={done} wide onClick={close}>
              <Trans id="common.done">Done</Trans>
            </Button>
          </span>
        </div>
      }
    >
      <fieldset className="min-w-0">
        <legend className="mb-2 text-ink-soft">
          <Trans id="allergens.dishes-contain-what-tick-greyed">
            Dishes that contain what you tick are greyed out and marked. You can still order them.
          </Trans>
        </legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4">
          {allergens.map(({ alias, name }) => (
            <Checkbox
              key={alias}
              label={<span className="block wrap-anywhere first-letter:uppercase">{name}</span>}
              checked={avoided.includes(alias)}
              onChange={(event) => change(alias, event.target.checked)}
            />
          ))}
        </div>
      </fieldset>
      <p className="mt-3 text-note text-ink-soft">
        <Trans id="allergens.traces-of-other-products-possible">
          Traces of other products are possible. If that is dangerous for you, call us.
        </Trans>
      </p>
    </Sheet>
  );
}

/** Returns the allergens to choose from: the city's own list, otherwise the allergens of its menu. */
function useAllergens(): readonly Schema<'Allergen'>[] {
  const { allergens } = useCity();
  const { data: menu } = useMenu();
  const language = useLanguage();
  if (allergens?.length) return allergens;
  return menu ? allergensInMenu(menu, language) : [];
}
