import type { CardBrand } from './card-rules';
import amex from './marks/amex.svg';
import mastercard from './marks/mastercard.svg';
import mir from './marks/mir.svg';
import troy from './marks/troy.svg';
import unionpay from './marks/unionpay.svg';
import visa from './marks/visa.svg';

const marks: Record<CardBrand, { picture: string; name: string }> = {
  visa: { picture: visa, name: 'Visa' },
  mastercard: { picture: mastercard, name: 'Mastercard' },
  mir: { picture: mir, name: 'Mir' },
  amex: { picture: amex, name: 'American Express' },
  unionpay: { picture: unionpay, name: 'UnionPay' },
  troy: { picture: troy, name: 'Troy' },
};

/** The mark of the brand that the typed number belongs to; nothing while none is known. */
export function CardMark({ brand }: { brand: CardBrand | undefined }) {
  if (!brand) return null;
  const { picture, name } = marks[brand];
  return <img src={picture} alt={name} width={40} height={26} />;
}
