import { Trans } from '@lingui/react/macro';
import { useCity, useCityPath } from '@/entities/city/context';
import { Link } from '@/ui/link';
import { VisuallyHidden } from '@/ui/visually-hidden';

/**
 * The way to the brand's privacy policy, in a tab of its own so that nothing typed is lost; nothing
 * where the brand has none.
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
