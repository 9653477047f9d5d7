import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Link as RouterLink } from 'wouter';
import { type ButtonLook, buttonClasses } from './button';
import { classes } from './classes';

const looks = {
  /** In running text; the touch target is higher than the line. */
  text: 'py-1 text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2',
  /**
   * In places that show that it is a link, such as a header or a card. It is a box, because Chromium draws no ring
   * around a link within a line that has a box in it.
   */
  plain: 'block text-ink hover:text-accent-ink',
};

interface LinkProps extends Omit<ComponentPropsWithRef<'a'>, 'className' | 'style' | 'href'> {
  href: string;
  look?: keyof typeof looks;
}

/**
 * Reports whether the browser follows the link itself instead of the router: to another site, another program or
 * a text file, or into a new tab.
 */
const leavesThePage = (href: string, target?: string) =>
  target === '_blank' || /^([a-z]+:|\/\/|\/[^?#]*\.txt$)/i.test(href);

/**
 * A link. The router follows links within the site without loading a document; `tel:`, `mailto:` and other sites
 * are left to the browser.
 */
export function Link({ href, look = 'text', ...rest }: LinkProps) {
  const className = classes('rounded-chip', looks[look]);
  if (leavesThePage(href, rest.target)) return <a {...rest} href={href} className={className} />;
  return <RouterLink {...rest} href={href} className={className} />;
}

interface ButtonLinkProps extends Omit<LinkProps, 'look'> {
  look?: ButtonLook;
  size?: 'small' | 'medium' | 'large';
  wide?: boolean;
  children: ReactNode;
}

/** A link that looks like a button: the next step is another page. */
export function ButtonLink({ look, size, wide, href, ...rest }: ButtonLinkProps) {
  const className = buttonClasses(look, size, wide);
  if (leavesThePage(href, rest.target)) return <a {...rest} href={href} className={className} />;
  return <RouterLink {...rest} href={href} className={className} />;
}
