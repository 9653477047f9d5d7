import { useCityPath } from '@/entities/city/context';
import { useSite } from '@/entities/site/context';
import { classes } from '@/ui/classes';
import { Link } from '@/ui/link';

/** The brand's logo, or its name when it has none, as a link to the menu. */
export function BrandMark() {
  const { name, logo, logo_dark: dark } = useSite();
  const path = useCityPath();
  return (
    <Link look="plain" href={path()} aria-label={name}>
      <span className="flex min-h-11 shrink-0 items-center">
        {logo ? (
          <>
            <img src={logo} alt="" className={classes('logo', dark && 'in-light')} />
            {dark && <img src={dark} alt="" className="logo in-dark" />}
          </>
        ) : (
          <span className="title text-lead">{name}</span>
        )}
      </span>
    </Link>
  );
}
