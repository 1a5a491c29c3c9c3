// Large files are sent in parts, a few at a time, so that a lost connection or a restart costs a part and not the file. The server keeps
// which parts have arrived; this computer keeps which upload belongs to which file.

import { createHash } from 'node:crypto';
import type { FileJson } from '../model/resources';
import { stored } from '../store/damage';
import type { UserStore } from '../store/user';
import { bytesOf, streamed, Unsteady } from './multipart';
import { Declined, type Session } from './session';
import { patienceFor, type Transfers } from './transfer_rules';

/** Larger files are sent in parts, where the server offers it. */
export const partsAbove = 50 * 1024 * 1024;

const lanes = 3;
const address = '/api/sync/v1/uploads';

/** The state of an upload on the server. */
interface UploadNow {
  readonly id: number;
  readonly workflow_state: 'open' | 'complete';
  readonly part_size?: number;
  readonly part_count?: number;
  readonly parts?: readonly { readonly number: number }[];
}

export interface InParts {
  readonly session: Session;
  readonly user: UserStore;
  /** The same for every attempt with the same bytes for the same target. */
  readonly key: string;
  /** The target: an upload of other bytes for it is abandoned. */
  readonly target: string;
  /** The local path of the bytes. */
  readonly file: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly transfers?: Transfers | undefined;
  /** Called with the bytes that have arrived so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

export const isInParts = (size: number, { isForgetful }: Session): boolean => size > partsAbove && !isForgetful;

interface KeptUpload {
  readonly id: number;
  readonly target: string;
}

const settingOf = (key: string): string => `upload ${key}`;

const isGone = (problem: unknown): problem is Declined => problem instanceof Declined && problem.status === 404;

/** The upload that was begun before and not completed. The server forgets it after some days. */
async function continued({ user, key, session }: InParts): Promise<UploadNow | undefined> {
  const kept = user.setting(settingOf(key));
  if (kept === undefined) return undefined;
  const { id } = stored<KeptUpload>(kept);
  return session.json<UploadNow>(`${address}/${id}`).catch((problem: unknown) => {
    if (!isGone(problem)) throw problem;
    user.set(settingOf(key), undefined);
    return undefined;
  });
}

/** Earlier uploads for the same target would count against the quota until they expire. */
async function abandonOthers({ user, key, target, session }: InParts): Promise<void> {
  const rows = user.prepare("SELECT name, value FROM settings WHERE name LIKE 'upload %'").all();
  for (const { name, value } of rows) {
    const kept = stored<KeptUpload>(value);
    if (name === settingOf(key) || kept.target !== target) continue;
    await abandon(session, kept.id);
    user.set(String(name), undefined);
  }
}

/** The server also does it by itself, later. */
const abandon = (session: Session, id: number): Promise<unknown> =>
  session.ask(`${address}/${id}`, { method: 'DELETE', tries: 1 }).catch(() => {});

async function begin(params: Readonly<Record<string, string>>, given: InParts): Promise<UploadNow> {
  const { session, user, key, target, size, sha256 } = given;
  await abandonOthers(given);
  const begun = await session.json<UploadNow>(address, { method: 'POST', json: { ...params, size, sha256 } });
  user.set(settingOf(key), JSON.stringify({ id: begun.id, target } satisfies KeptUpload));
  return begun;
}

/** Read twice: for its hash, and to be sent. A change in between is noticed here and by the server. */
async function sendPart(number: number, from: number, size: number, id: number, given: InParts): Promise<void> {
  const { session, file, name, transfers } = given;
  const hash = createHash('sha256');
  for await (const bytes of bytesOf({ file, name, size, from })) hash.update(bytes);
  const sha256 = hash.digest('hex');
  await transfers?.pass(size);
  const sending = streamed(() => bytesOf({ file, name, size, from, sha256 }), {
    'content-type': 'application/octet-stream',
    'content-length': `${size}`,
  });
  await session.ask(`${address}/${id}/parts/${number}?sha256=${sha256}`, {
    method: 'PUT',
    sending,
    tries: 3,
    patience: patienceFor(size, transfers),
    signal: transfers?.signal,
  });
}

async function sendMissing({ id, part_size = 0, part_count = 0, parts = [] }: UploadNow, given: InParts): Promise<void> {
  const { size, onBytes } = given;
  const lengthOf = (number: number) => (number < part_count ? part_size : size - (part_count - 1) * part_size);
  const there = new Set(parts.map(({ number }) => number));
  let arrived = [...there].reduce((sum, number) => sum + lengthOf(number), 0);
  onBytes?.(arrived);
  const missing = Array.from({ length: part_count }, (_, at) => at + 1).filter((number) => !there.has(number));
  const isStopped = { is: false };
  const lane = async () => {
    for (let number = missing.shift(); number !== undefined && !isStopped.is; number = missing.shift()) {
      await sendPart(number, (number - 1) * part_size, lengthOf(number), id, given);
      arrived += lengthOf(number);
      onBytes?.(arrived);
    }
  };
  // All lanes have ended before an error is reported, so that nothing is sent after it.
  const ended = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((problem: unknown) => {
        isStopped.is = true;
        throw problem;
      }),
    ),
  );
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

const isStatus = (problem: unknown, status: number): problem is Declined => problem instanceof Declined && problem.status === status;

/** The server reads the whole file once more, which takes longer for larger files. */
const patienceToComplete = (size: number): number => 120_000 + size / 5000;

/** @throws Unsteady if what arrived is not the announced content */
async function complete({ id }: UploadNow, { session, size, sha256, name }: InParts): Promise<FileJson> {
  const asked = { method: 'POST', json: { sha256 }, patience: patienceToComplete(size) };
  return session.json<FileJson>(`${address}/${id}/complete`, asked).catch((problem: unknown) => {
    throw isStatus(problem, 422) ? new Unsteady(name) : problem;
  });
}

/** These end the upload: another attempt begins a new one. */
const isFinal = (problem: unknown): boolean =>
  problem instanceof Unsteady || (problem instanceof Declined && problem.status !== 404 && problem.status !== 409);

async function finish(upload: UploadNow, given: InParts): Promise<FileJson> {
  const { session, user, key } = given;
  try {
    if (upload.workflow_state === 'open') await sendMissing(upload, given);
    const file = await complete(upload, given);
    user.set(settingOf(key), undefined);
    return file;
  } catch (problem) {
    if (isFinal(problem)) {
      user.set(settingOf(key), undefined);
      await abandon(session, upload.id);
    }
    throw problem;
  }
}

/** Attempts, where the server lacks parts that had arrived, or has forgotten the upload meanwhile. */
const mostAttempts = 3;

/**
 * @param ask requests the ticket, with the parameters that begin the upload; undefined if the server offers no parts
 * @returns undefined if the server offers no parts
 */
export async function sendInParts(
  ask: () => Promise<Readonly<Record<string, string>> | undefined>,
  given: InParts,
): Promise<FileJson | undefined> {
  for (let nth = 1; ; nth++) {
    let upload = await continued(given);
    if (!upload) {
      const params = await ask();
      if (!params) return undefined;
      upload = await begin(params, given);
    }
    try {
      return await finish(upload, given);
    } catch (problem) {
      if (nth === mostAttempts || !(isGone(problem) || isStatus(problem, 409))) throw problem;
    }
  }
}
