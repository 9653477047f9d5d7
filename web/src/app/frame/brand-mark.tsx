import { useCityPath, useSite } from '@/features/city/context';
import { classes } from '@/ui/classes';
import { Link } from '@/ui/link';

/** The brand's logo, or its name where it has none; leads home. */
export function BrandMark() {
  const { name, logo, logo_dark: dark } = useSite();
  const path = useCityPath();
  return (
    <Link look="plain" href={path()} aria-label={name}>
      <span className="flex min-h-11 shrink-0 items-center">
        {logo ? (
          <>
            <img src={logo} alt="" className={classes('h-8 w-auto', dark && 'in-light')} />
            {dark && <img src={dark} alt="" className="h-8 w-auto in-dark" />}
          </>
        ) : (
          <span className="title text-lead">{name}</span>
        )}
      </span>
    </Link>
  );
}
