// Where the wanted bytes of one cycle come from: texts from the cache, files from the server.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '../../../language/texts';
import { writeDurably } from '../../disk/durable';
import { expectRoom, type Space } from '../../disk/free_space';
import { type FolderHandle, openFolder } from '../../disk/handles';
import { inside, stagingFolder } from '../../disk/inside';
import type { Source } from '../../model/ports';
import type { FileJson } from '../../model/resources';
import type { Key, Wanted } from '../../model/trees';
import { isVersion } from '../../server/canvas/version';
import { downloadFile, type Transfer, WrongBytes } from '../../server/download';
import { Declined, type Session } from '../../server/session';
import type { Transfers } from '../../server/transfer_rules';
import type { Cache } from '../../store/cache';
import type { Derived } from './derive';

export interface Sourcing {
  readonly cache: Cache;
  readonly wanted: Derived;
  readonly session: Session;
  readonly root: string;
  readonly onBytes?: (count: number) => void;
  readonly transfers?: Transfers;
  readonly room?: () => Promise<Space>;
}

/** For smaller files the free space is not checked each time. */
const large = 1_000_000;

/** Constant while the cycle runs; only hashes that the server does not report are added with the downloads. */
export function remoteSourceOf({
  cache,
  wanted: { tree, textOf, deselected, bothWays, at },
  session,
  root,
  onBytes,
  transfers,
  room,
}: Sourcing): Source & { readonly close: () => void } {
  const learnt = new Map<Key, Wanted>();
  // Held open, so that nothing is written elsewhere if a link replaces it.
  let staging: FolderHandle | undefined;
  return {
    remote: () => (learnt.size === 0 ? tree : new Map([...tree, ...learnt])),
    at,
    withdrawn: () => cache.gone,
    deselected: () => deselected,
    mine: () => bothWays,
    async stage(key, wanted) {
      const name = stagedName(key, wanted);
      staging ??= openFolder(root, stagingFolder, { make: true });
      const folder = staging.way;
      if (wanted.generated) writeDurably(join(folder, name), textOf(key), wanted.modified);
      else {
        const file = cache.get<FileJson>('file', Number(key.slice('file:'.length)));
        if (!file?.url) throw new Error(t('why.noAddress'));
        if (wanted.size > large && room) expectRoom([missingBytes(root, key, wanted)], await room());
        const transfer = { session, folder, name, wanted, onBytes, transfers };
        const url = new URL(file.url, session.url).href;
        const hash = await downloadFile({ ...transfer, url }).catch((problem: unknown) => {
          if (!isVersion(wanted.hash) || !(problem instanceof WrongBytes || problem instanceof Declined)) throw problem;
          return byAnotherWay(transfer, file.id, url, problem);
        });
        if (!isVersion(wanted.hash)) return name;
        cache.put('file', file.id, { ...file, sha256: hash }, cache.courseIdOf('file', file.id) ?? undefined);
        learnt.set(key, { ...wanted, hash });
      }
      return name;
    },
    close: () => {
      staging?.close();
      staging = undefined;
    },
    hashOf: (key, wanted) => (isVersion(wanted.hash) ? learnt.get(key)?.hash : undefined) ?? wanted.hash,
  };
}

/**
 * On Canvas the addresses of files expire: then a new one is requested. Some addresses are refused with a token, and for some
 * files only the public address works.
 */
async function byAnotherWay(transfer: Omit<Transfer, 'url'>, id: number, tried: string, first: Error): Promise<string> {
  const { session } = transfer;
  const result = async (address: string): Promise<string | undefined> => {
    const { url, public_url = url } = await session.json<{ url?: string; public_url?: string }>(address);
    return public_url ? new URL(public_url, session.url).href : undefined;
  };
  const ways: readonly (readonly [() => Promise<string | undefined>, boolean])[] = [
    [async () => tried, true],
    [async () => result(`/api/v1/files/${id}`), false],
    [async () => result(`/api/v1/files/${id}/public_url`), true],
  ];
  for (const [addressOf, isBare] of ways) {
    try {
      const url = await addressOf();
      if (url !== undefined && (isBare || url !== tried)) return await downloadFile({ ...transfer, url, isBare });
    } catch (problem) {
      if (!(problem instanceof WrongBytes || problem instanceof Declined)) throw problem;
    }
  }
  throw first;
}

/** How much is left to download: an interrupted download continues where it ended. */
export function missingBytes(root: string, key: string, wanted: Wanted): number {
  if (wanted.size <= large) return wanted.size;
  const there = statSync(inside(root, `${stagingFolder}/${stagedName(key, wanted)}`), { throwIfNoEntry: false });
  return Math.max(0, wanted.size - (there?.size ?? 0));
}

/** An interrupted download is found again by this name; a download of other bytes has another name. */
export const stagedName = (key: string, { hash }: Wanted): string => `${key.replace(':', '-')}-${hash.slice(0, 16)}.part`;
