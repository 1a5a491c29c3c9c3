// Tickets of launches: sealed texts that say who opens which tool from where. Creating one writes nothing; using one writes its hash, so that it
// counts once.

import type { PlacementName } from '@carrel/shared/resources/external_tool';
import { wireTime } from '@carrel/shared/wire/fields';
import type { Database, Statement } from '../../../database/open';
import { seal, unseal } from '../../../database/seal';
import { newToken } from '../../../database/tokens';
import { sha256 } from '../../../http/idempotency';
import type { Platform } from '../../../platform';
import { lti_used } from '../../lti/table';

export interface LaunchTicket {
  readonly user_id: number;
  /** The user who acts as another. */
  readonly real_user_id: number;
  readonly context_type: 'Course' | 'Account';
  readonly context_id: number;
  readonly tool_id: number;
  readonly placement?: PlacementName;
  readonly assignment_id?: number;
  readonly module_item_id?: number;
  readonly resource_link_id?: number;
  /** The module that content is chosen for. */
  readonly module_id?: number;
  /** Where the launch goes; the tool's own address without it. */
  readonly url?: string;
  /** Whether the tool is opened in a frame. */
  readonly isFramed?: boolean;
  /** Hash of the secret of the browser that started the launch. */
  readonly browser?: string;
}

/** `verifier` opens a launch page, `hint` and `content` come back from a tool, `registration` lets a tool register itself. */
type Purpose = 'verifier' | 'hint' | 'outcome' | 'content' | 'registration';

const minutes = 5;
const nameOf = (purpose: Purpose) => `launches: ${purpose}`;
const hex = (text: string) => [...text].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
const unhex = (text: string) => (text.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('');

type Keys = Pick<Platform, 'SIGNING_SECRET'>;
interface Sealed<T> {
  readonly ticket: T;
  /** What is used once. The text itself has several spellings. */
  readonly code: string;
  readonly expires_at: string;
}

/** A ticket as hexadecimal text, valid for five minutes unless stated. */
export async function sealTicket<T extends object>(
  { SIGNING_SECRET }: Keys,
  purpose: Purpose,
  ticket: T,
  now: string,
  lifetime = minutes,
): Promise<string> {
  const sealed: Sealed<T> = { ticket, code: newToken(), expires_at: wireTime(Date.parse(now) + lifetime * 60_000) };
  return hex(await seal(SIGNING_SECRET, nameOf(purpose), JSON.stringify(sealed)));
}

export interface OpenedTicket<T> extends Sealed<T> {
  readonly hash: string;
}

/** The ticket; undefined unless it was sealed here for this purpose and has not expired. */
export async function openTicket<T>(
  { SIGNING_SECRET }: Keys,
  purpose: Purpose,
  text: string,
  now: string,
): Promise<OpenedTicket<T> | undefined> {
  if (!/^[0-9a-f]{2,8000}$/.test(text)) return undefined;
  const opened = await unseal(SIGNING_SECRET, nameOf(purpose), unhex(text));
  const sealed = opened === undefined ? undefined : (JSON.parse(opened) as Sealed<T>);
  return sealed && sealed.expires_at > now ? { ...sealed, hash: await sha256(sealed.code) } : undefined;
}

/** Marks something as used; the batch fails where it was used before. */
export const useOnce = ({ build }: Database, { hash, expires_at }: { readonly hash: string; readonly expires_at: string }): Statement =>
  build.insert(lti_used).values({ hash, expires_at });

/** Whether a batch failed because something was used before. */
export const isUsedAgain = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes('lti_used.') || isUsedAgain(error.cause));
