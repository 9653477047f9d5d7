import { Trans } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/entities/city/context';
import { Link } from '@/ui/link';
import { VisuallyHidden } from '@/ui/visually-hidden';

/**
 * A link to the brand's privacy policy; nothing when the brand has none. It opens a tab, so that typed texts are
 * kept.
 */
export function PolicyLink() {
  const path = useCityPath();
  const policy = useCity().pages.find(({ alias }) => alias === 'privacy-policy');
  if (!policy) return null;
  return (
    <Link href={path('/privacy-policy')} target="_blank" rel="noreferrer">
      {policy.title}
      <VisuallyHidden>
        {' '}
        <Trans id="common.opens-in-new-tab">(opens in a new tab)</Trans>
      </VisuallyHidden>
    </Link>
  );
}
