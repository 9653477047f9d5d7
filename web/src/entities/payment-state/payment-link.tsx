import type { ReactNode } from 'react';
import { type ButtonLook, buttonClasses } from '@/ui/button';

/**
 * Returns the path of the page where an order is paid. It is always loaded as a document: only its
 * own document may show the frames of banks.
 */
export const paymentPath = (cityAlias: string, key: string) =>
  `/${cityAlias}/order/payment/${encodeURIComponent(key)}`;

interface PaymentLinkProps {
  cityAlias: string;
  /** The order cache key. */
  orderKey: string;
  /** Without it the link is one in running text. */
  look?: ButtonLook;
  size?: 'small' | 'medium' | 'large';
  wide?: boolean;
  children: ReactNode;
}

/** The way to the page where an order is paid. */
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
