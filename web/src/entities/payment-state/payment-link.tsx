import type { ReactNode } from 'react';
import { type ButtonLook, buttonClasses } from '@/ui/button';

/**
 * Returns the path of the payment page of an order. It must be loaded as a document, because only the page's own
 * document may show the frames of banks.
 */
export const paymentPath = (cityAlias: string, key: string) =>
  `/${cityAlias}/order/payment/${encodeURIComponent(key)}`;

interface PaymentLinkProps {
  cityAlias: string;
  /** The order cache key. */
  orderKey: string;
  /** The look of a button; without it the link looks like one in running text. */
  look?: ButtonLook;
  size?: 'small' | 'medium' | 'large';
  wide?: boolean;
  children: ReactNode;
}

/** A link to the payment page, which loads it as a document. */
export function PaymentLink({ cityAlias, orderKey, look, size, wide, children }: PaymentLinkProps) {
  const className = look
    ? buttonClasses(look, size, wide)
    : 'rounded-chip text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2';
  return (
    <a href={paymentPath(cityAlias, orderKey)} className={className}>
      {children}
    </a>
  );
}
