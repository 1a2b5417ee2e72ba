import { Component, type ReactNode } from 'react';
import { Problem } from './problem.tsx';

/** Catches what an area throws while it renders, so that the rest stays usable. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Problem error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}
