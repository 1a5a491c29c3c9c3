// A group of channels on one subject, and what it works with.

import type { Channel, ChannelParams, ChannelResult } from '../../contract/channels';
import type { Workspace } from '../accounts/workspace';

export type ChannelGroup<C extends Channel> = { readonly [N in C]: (given: ChannelParams<N>) => Promise<ChannelResult<N>> };

export interface ChannelGroupContext {
  /** The account that is shown. Throws if no account is signed in. */
  readonly here: () => Workspace;
  /** Called after a change by the user: updates the screens, and sends it soon. */
  readonly edited: () => void;
}
