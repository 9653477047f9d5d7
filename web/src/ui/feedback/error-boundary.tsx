import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Returns what is shown in place of the broken part; `retry` renders the part again. */
  fallback: (error: Error, retry: () => void) => ReactNode;
  /** The part is rendered again when this changes. */
  resetKey?: unknown;
  children: ReactNode;
}

/** Shows a fallback in place of a part that failed to render, so that the rest stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.error && before.resetKey !== this.props.resetKey) this.retry();
  }

  readonly retry = () => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    return error ? this.props.fallback(error, this.retry) : this.props.children;
  }
}
