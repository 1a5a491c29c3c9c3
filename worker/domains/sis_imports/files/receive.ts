// Receives the file of an import as a stream: a part of a multipart form, or the whole body.

import { read } from '@carrel/shared/wire/fields';
import { type FormTree, formTreeOf, settleLists } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { idOf } from '../../../contexts/references';
import { randomText } from '../../../database/tokens';
import type { Call } from '../../../http/call';
import { rows } from '../../../http/listing';
import { badParameter, Problem, problem } from '../../../http/problem';
import { one, type Reply, write } from '../../../http/reply';
import { newBlobKey, type StoredBlob, storeBlob } from '../../files/upload/blobs';
import { BrokenMultipart, boundaryOf, multipartParts, readText } from '../../files/upload/multipart';
import { type ImportGiven, importParams, optionsOf } from '../options';
import { sis_imports } from '../table';
import { bytesOfBody } from './chunks';
import { expectBlob, fileId, importFolderOf, paper } from './kept_files';

const longestOption = 65_536;

/** The response to a refused upload. */
const refusedUpload = (message: string) => new Problem(400, { error: true, error_message: message });

const bodyTypes: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/plain': 'csv',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'application/octet-stream': '',
  // Accepted by the upload, and then reported as not being CSV: the only import type.
  'text/xml': 'xml',
  'application/xml': 'xml',
};

interface Received {
  readonly name: string;
  readonly format: 'csv' | 'zip';
  readonly blob: StoredBlob & { readonly key: string };
  readonly sent: FormTree;
}

/** Looks at the first bytes while they pass: an archive is recognised regardless of its name. */
class Sniffed {
  private first: number[] = [];

  async *through(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      if (this.first.length < 2) this.first.push(...bytes.subarray(0, 2));
      yield bytes;
    }
  }

  get format(): 'csv' | 'zip' {
    return this.first[0] === 0x50 && this.first[1] === 0x4b ? 'zip' : 'csv';
  }
}

async function keepBody(call: Call, content: AsyncIterable<Uint8Array>) {
  const key = newBlobKey();
  await call.db.perform([expectBlob(call.db, key, call.now)]);
  const sniffed = new Sniffed();
  const kept = await storeBlob(call.env.FILES, key, sniffed.through(content), Number.POSITIVE_INFINITY, call.meter);
  return { blob: { key, ...kept }, format: sniffed.format };
}

async function fromForm(call: Call, body: ReadableStream<Uint8Array>, boundary: string): Promise<Received> {
  const pairs: [string, string][] = [];
  let received: Omit<Received, 'sent'> | undefined;
  for await (const part of multipartParts(body, boundary)) {
    if (part.name === 'attachment' && part.filename !== undefined && !received)
      received = { name: part.filename || 'attachment', ...(await keepBody(call, part.content)) };
    else if (part.filename === undefined) pairs.push([part.name, await readText(part.content, longestOption)]);
  }
  if (!received) throw refusedUpload('no file was sent as attachment');
  return { ...received, sent: settleLists(formTreeOf(pairs), () => false) };
}

async function receive(call: Call): Promise<Received> {
  const type = call.request.headers.get('content-type') ?? '';
  const [kind = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const { body } = call.request;
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && !['utf-8', 'utf8'].includes(charset)) throw refusedUpload('the file must be UTF-8');
  if (!body) throw refusedUpload('no file was sent');
  if (kind === 'multipart/form-data') {
    const boundary = boundaryOf(type);
    if (!boundary) throw refusedUpload('the form has no boundary');
    return fromForm(call, body, boundary);
  }
  const asked = typeof call.tree.extension === 'string' ? call.tree.extension.toLowerCase() : '';
  const format = lookUp(bodyTypes, kind) ?? (kind === '' ? '' : undefined);
  if (format === undefined) throw refusedUpload(`a body of type ${kind} cannot be imported`);
  const kept = await keepBody(call, bytesOfBody(body));
  if (kept.blob.size === 0) throw refusedUpload('no file was sent');
  return { ...kept, name: `sis_import.${format || (asked === 'csv' ? 'csv' : 'zip')}`, sent: {} };
}

async function optionsSaid(call: Call, sent: FormTree) {
  const said = read(importParams, { ...sent, ...call.tree });
  if (!said.ok) throw badParameter(said.refusal.parameter, said.refusal.message);
  const given = said.value as ImportGiven;
  const named = given.batch_mode === true && given.batch_mode_term_id ? given.batch_mode_term_id : undefined;
  if (named === undefined) return { given, term_id: undefined };
  const [[term]] = await call.db.perform([
    call.db.build.all<{ id: number }>(sql`select id from terms where workflow_state = 'active' and id = (${idOf('term', named)})`),
  ]);
  return { given, term_id: term?.id };
}

/** @throws Problem 400 for a body without a file, and for invalid options */
export async function receiveImport(call: Call): Promise<Reply> {
  const { name, format, blob, sent } = await receive(call).catch((error: unknown) => {
    throw error instanceof BrokenMultipart ? refusedUpload('the form is truncated') : error;
  });
  const { given, term_id } = await optionsSaid(call, sent);
  const options = optionsOf(given, term_id);
  const { db, me, now, env, account } = call;
  const uuid = randomText(24);
  const content_type = format === 'zip' ? 'application/zip' : 'text/csv';
  const kept = paper(db, { ...importFolderOf(uuid), user_id: me.id, name, content_type, blob }, now);
  // If the message is lost, the scheduled run sends another.
  call.afterwards(() => env.WORK.send({ job: 'sis_import' }));
  return write(
    [
      ...kept.statements,
      db.build.insert(sis_imports).values({
        account_id: account?.id ?? 0,
        user_id: me.id,
        uuid,
        format,
        attachment_id: fileId(kept.uuid),
        options,
        diffing_data_set_identifier: options.diffing_data_set_identifier ?? null,
        workflow_state: 'created',
        created_at: now,
        updated_at: now,
      }),
    ],
    one(rows(sis_imports, { where: sql`${sis_imports.uuid} = ${uuid}` })),
  );
}

/** @throws Problem 403 for accounts below the root, or when the institution has disabled imports */
export function mustTakeImports({ account, institution }: Pick<Call, 'account' | 'institution'>): void {
  if (account?.parent_account_id !== null || institution.root.settings.allow_sis_import === false)
    throw problem(403, 'SIS imports are not enabled for this account');
}
