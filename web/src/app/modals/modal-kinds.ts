import { type ModalKind, type ModalName, setModalKind } from '@/ui/modals/modal-names';
import './modal-params';

/** The kinds of the modals that have another than `default`. They are needed before the registry has loaded. */
const kinds: { [Name in ModalName]?: ModalKind } = {
  allergens: 'confirm',
  'confirm-cancel-order': 'confirm',
  'confirm-delete-account': 'confirm',
  'confirm-delete-address': 'confirm',
  'confirm-empty-cart': 'confirm',
  'confirm-other-city': 'confirm',
  'confirm-repeat': 'confirm',
  'confirm-select-address': 'confirm',
  'confirm-shop': 'confirm',
  'confirm-takeaway': 'confirm',
  'marketing-banner': 'once',
  product: 'once',
};

for (const [name, kind] of Object.entries(kinds)) setModalKind(name as ModalName, kind);
