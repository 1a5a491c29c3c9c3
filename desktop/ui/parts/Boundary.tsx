// An error boundary, so that one broken screen does not take down the rest.

import { Component, type ReactNode } from 'react';
import { LoadFailure } from './Blank.tsx';

export class Boundary extends Component<{ children: ReactNode }, { failure: Error | null }> {
  override state: { failure: Error | null } = { failure: null };

  static getDerivedStateFromError(failure: unknown) {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }

  override render() {
    if (this.state.failure === null) return this.props.children;
    return <LoadFailure failure={this.state.failure} readAgain={async () => this.setState({ failure: null })} />;
  }
}
