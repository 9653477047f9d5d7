import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { ApiFault } from '@/api/result';
import { ErrorPage } from './error-page';
import { NotFoundPage } from './not-found-page';

/** Shows what went wrong below it in place of a blank page, and lets the visitor try again. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Catcher onReset={reset}>{children}</Catcher>}
    </QueryErrorResetBoundary>
  );
}

interface CatcherProps {
  children: ReactNode;
  onReset: () => void;
}

class Catcher extends Component<CatcherProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const failure = error instanceof ApiFault ? error.failure : undefined;
    if (failure?.kind === 'notFound') return <NotFoundPage />;
    const retry = () => {
      this.props.onReset();
      this.setState({ error: null });
    };
    return (
      <ErrorPage
        reference={failure?.kind === 'server' ? failure.reference : undefined}
        onRetry={retry}
      />
    );
  }
}
