// The messages between the main process and the engine process.

import type { ChangeNotice, Channel } from '../../contract/channels.ts';
import type { AccountId } from '../../engine/accounts/account.ts';

export type ToEngine =
  | { readonly kind: 'open'; readonly store: string; readonly folder: string }
  | { readonly kind: 'call'; readonly id: number; readonly channel: Channel; readonly given: unknown }
  | { readonly kind: 'secret'; readonly id: number; readonly said: string | undefined }
  | { readonly kind: 'trashed'; readonly id: number; readonly why?: string }
  | { readonly kind: 'close' };

export type FromEngine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly why: string }
  | { readonly kind: 'notice'; readonly notice: ChangeNotice }
  /** Only main can use the system's trash. */
  | { readonly kind: 'trash'; readonly id: number; readonly path: string }
  /** Main stores the tokens; the engine requests them, and passes them on at sign-in. */
  | ({ readonly kind: 'secret'; readonly id: number } & KeeperRequest);

export interface KeeperRequest {
  readonly wants: 'read' | 'write' | 'remove' | 'keeping';
  readonly account: AccountId;
  readonly secret?: string;
}
