// Receipts: the hashes of what was handed in, with the server's signature that it has received exactly that, and when.

import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { ReceiptAnswer, ReceiptClaims } from '@carrel/shared/sync/protocol';
import type { ReceiptStatus } from '../../contract/work';
import { Declined, type Session, Troubled } from '../server/session';
import { stored } from '../store/damage';
import type { UserStore } from '../store/user';
import type { SubmittedWork } from './intents';

export interface Receipt {
  /** The id of the intent that was sent. */
  readonly id: string;
  readonly course_id: number;
  readonly assignment_id: number;
  readonly submission_id: number;
  readonly attempt: number;
  readonly submitted_at: string;
  readonly work: SubmittedWork;
  /** The hash of the text or the address, as the server stores it. */
  readonly sha256: string | null;
  readonly standing: ReceiptStatus;
  readonly token: string | null;
  readonly sent_at: string;
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export function keepReceipt(user: UserStore, receipt: Receipt): void {
  const { id, course_id, assignment_id, submission_id, attempt, submitted_at, work, sha256, standing, token, sent_at } = receipt;
  user
    .prepare('INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(id, course_id, assignment_id, submission_id, attempt, submitted_at, JSON.stringify(work), sha256, standing, token, sent_at);
}

const receiptOf = (row: Record<string, unknown>): Receipt => ({ ...row, work: stored(row.work) }) as unknown as Receipt;

/** The latest last. */
export const receipts = (user: UserStore): Receipt[] =>
  user.prepare('SELECT * FROM receipts ORDER BY sent_at, attempt').all().map(receiptOf);

/** The latest first. */
export const receiptsOf = (user: UserStore, assignmentId: number): Receipt[] =>
  user.prepare('SELECT * FROM receipts WHERE assignment_id = ? ORDER BY attempt DESC, sent_at DESC').all(assignmentId).map(receiptOf);

/** Requests missing signatures. Nothing waits for them: if there is no response, the next sync asks again. */
export async function signReceipts(session: Session, user: UserStore): Promise<boolean> {
  const waiting = user.prepare("SELECT * FROM receipts WHERE standing = 'waiting'").all().map(receiptOf);
  if (waiting.length === 0) return false;
  const settle = user.prepare('UPDATE receipts SET standing = ?, token = ? WHERE id = ?');
  // Such a server has no signing keys.
  if (session.isForgetful) {
    for (const { id } of waiting) settle.run('unsigned', null, id);
    return true;
  }
  try {
    const { keys } = await session.json<{ keys: readonly JsonWebKey[] }>('/.well-known/jwks', { tries: 2 });
    for (const receipt of waiting) {
      const { submission_id, attempt } = receipt;
      const { receipt: token } = await session.json<ReceiptAnswer>(`/api/sync/v1/receipts/${submission_id}?attempt=${attempt}`, {
        tries: 2,
      });
      settle.run(judge(token, keys, receipt), token, receipt.id);
    }
  } catch (problem) {
    if (problem instanceof Troubled) return false;
    if (!(problem instanceof Declined)) throw problem;
    // A server that does not sign has still accepted the work.
    for (const { id } of waiting) settle.run('unsigned', null, id);
  }
  return true;
}

/** Whether the server has signed exactly what was sent. */
function judge(token: string, keys: readonly JsonWebKey[], receipt: Receipt): ReceiptStatus {
  const [head = '', body = '', signature = ''] = token.split('.');
  const signed = keys.some((jwk) => isSignedBy(jwk, `${head}.${body}`, signature));
  if (!signed) return 'differs';
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as ReceiptClaims;
  const isSame =
    claims.aud === 'receipt' &&
    claims.submission_id === receipt.submission_id &&
    claims.assignment_id === receipt.assignment_id &&
    claims.attempt === receipt.attempt &&
    claims.submission_type === receipt.work.type &&
    claims.sha256 === receipt.sha256 &&
    JSON.stringify(claims.files.map(({ sha256 }) => sha256)) === JSON.stringify(receipt.work.files.map(({ sha256 }) => sha256));
  return isSame ? 'signed' : 'differs';
}

function isSignedBy(jwk: JsonWebKey, signed: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  } catch {
    // An invalid key verifies nothing.
    return false;
  }
}
