// A group of channels on one subject, and what it works with.

import type { Answer, Channel, Given } from '../../contract/channels';
import type { Study } from '../accounts/study';

export type ChannelGroup<C extends Channel> = { readonly [N in C]: (given: Given<N>) => Promise<Answer<N>> };

export interface GroupContext {
  /** The account that is shown. Throws if no account is signed in. */
  readonly here: () => Study;
  /** Called after a change by the user: updates the screens, and sends it soon. */
  readonly edited: () => void;
}
