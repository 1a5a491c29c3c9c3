// The RSA keys of this platform: the present one signs; the past and the next one are published with it, so that tools that cache keys meet no
// unknown one.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose';
import type { JwtClaims } from '../../crypto/jwt';
import type { Database, Statement } from '../../database/open';
import { seal, unseal } from '../../database/seal';
import type { Platform } from '../../platform';
import { lti_keys } from './table';

type Keys = Pick<Platform, 'SIGNING_SECRET'>;
type KeyRow = typeof lti_keys.$inferSelect;

const purpose = 'keys of LTI';
/** How long a key signs. */
const days = 30;
const algorithm = 'RS256';

async function newKey({ SIGNING_SECRET }: Keys, now: string): Promise<Omit<KeyRow, 'slot'>> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
  const { kty, n, e } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty, n, e } as JWK);
  return {
    jwk: { kty, n, e, kid, alg: algorithm, use: 'sig' },
    private_key: await seal(SIGNING_SECRET, purpose, await exportPKCS8(privateKey), kid),
    created_at: now,
  };
}

export const selectKeys = ({ build }: Database) => build.select().from(lti_keys).orderBy(lti_keys.slot);

/** Writes the first keys, unless another request was faster. */
async function firstKeys(db: Database, env: Keys, now: string): Promise<Statement[]> {
  const slots = ['present', 'future'] as const;
  const made = await Promise.all(slots.map(async (slot) => ({ ...(await newKey(env, now)), slot })));
  return [db.build.insert(lti_keys).values(made).onConflictDoNothing()];
}

/** All keys; made at the first request for them. */
export async function platformKeys(db: Database, env: Keys, now: string): Promise<readonly KeyRow[]> {
  const [known] = await db.perform([selectKeys(db)]);
  if (known.length > 0) return known;
  const results: readonly unknown[] = await db.perform([...(await firstKeys(db, env, now)), selectKeys(db)]);
  return results.at(-1) as KeyRow[];
}

/** A token signed with the present key. */
export async function signAsPlatform(keys: readonly KeyRow[], { SIGNING_SECRET }: Keys, claims: JwtClaims): Promise<string> {
  const key = keys.find(({ slot }) => slot === 'present');
  const kid = String(key?.jwk.kid);
  const pem = key && (await unseal(SIGNING_SECRET, purpose, key.private_key, kid));
  if (!pem) throw new Error('the keys of LTI cannot be read: SIGNING_SECRET has changed');
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: 'JWT', kid }).sign(await importPKCS8(pem, algorithm));
}

/** A chore: the next key signs once the present one has done so for a month. @returns 0, since nothing is left behind */
export async function rotateKeys({ db, env, now }: { readonly db: Database; readonly env: Keys; readonly now: string }): Promise<number> {
  const [known] = await db.perform([selectKeys(db)]);
  const present = known.find(({ slot }) => slot === 'present');
  const isDue = present !== undefined && present.created_at < wireTime(Date.parse(now) - days * 86_400_000);
  if (!isDue) return 0;
  const next = await newKey(env, now);
  const move = (from: string, to: 'past' | 'present') =>
    db.build
      .update(lti_keys)
      .set({ slot: to, ...(to === 'present' && { created_at: now }) })
      .where(sql`slot = ${from}`);
  await db.perform([
    db.build.delete(lti_keys).where(sql`slot = 'past'`),
    move('present', 'past'),
    move('future', 'present'),
    db.build.insert(lti_keys).values({ ...next, slot: 'future' }),
  ]);
  return 0;
}
