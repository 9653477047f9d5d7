import { Trans, useLingui } from '@lingui/react/macro';
import { Skeleton } from '@/ui/feedback/skeleton';

/**
 * The skeleton of a page while its chunk or its city is loading, as high as the window, so that what stands below it
 * does not move when the page comes; without script, a text that script is needed.
 */
export function PageSkeleton() {
  const { t } = useLingui();
  return (
    <main
      aria-busy="true"
      aria-label={t({ id: 'common.loading', message: 'Loading' })}
      className="mx-auto grid min-h-(--full-height) max-w-3xl content-start gap-4 px-4 py-10"
    >
      <noscript>
        <p>
          <Trans id="app.needs-script">
            To use this page, please switch JavaScript on, or call us.
          </Trans>
        </p>
      </noscript>
      <Skeleton shape="title" />
      <Skeleton shape="line" count={4} />
    </main>
  );
}
