import { useLingui } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import { openModal } from '@/ui/modals/modal-store';

/** The pages that are about a form, which is the modal of the same name. */
const formPages = ['supplier', 'landlord', 'return-request'] as const;

/** The button that opens the form of a page; nothing on a page without one. */
export function FormOfPage({ alias }: { alias: string }) {
  const { t } = useLingui();
  const form = formPages.find((page) => page === alias);
  if (!form) return null;
  const names = {
    supplier: t({ id: 'common.offer-goods', message: 'Offer your goods' }),
    landlord: t({ id: 'common.offer-premises', message: 'Offer premises' }),
    'return-request': t({ id: 'common.return-or-exchange', message: 'Return or exchange a dish' }),
  };
  return (
    <div className="mt-6">
      <Button size="large" aria-haspopup="dialog" onClick={() => openModal(form)}>
        {names[form]}
      </Button>
    </div>
  );
}
