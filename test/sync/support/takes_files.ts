// What the fake server needs to receive files: folders, uploads in three steps, renames, moves and deletions, in a course or among own files.

import { randomUUID } from 'node:crypto';
import { upload } from './course';
import type { FakeServer } from './fake_server';

type Json = Record<string, unknown>;

interface Ticket {
  readonly folder: number;
  readonly name: string;
  readonly overwrites: boolean;
  /** The condition of the upload, checked when its bytes have arrived. */
  readonly match?: string | undefined;
  readonly isNew: boolean;
  readonly conflictName?: string | undefined;
  answer?: { status: number; body: Json };
}

/**
 * @param place a course; without it, own files
 * @param isChecking whether it checks the versions of conditional requests
 */
export function takesFiles(server: FakeServer, place?: number, isChecking = true) {
  const tickets = new Map<string, Ticket>();
  let root: number | undefined;
  const missing = { status: 404, body: { message: 'The specified resource does not exist.' } };
  const found = (kind: 'file' | 'folder', id: number) => server.all(kind).find((one) => one.id === id);
  const folder = (name: string, parent: number | null): number => {
    const id = server.id();
    return server.put('folder', id, { id, name, parent_folder_id: parent }, place);
  };
  const theRoot = () => {
    root ??= server.all('folder').find(({ parent_folder_id, context_id }) => parent_folder_id === null && context_id === place)
      ?.id as number;
    root ??= folder('my files', null);
    return root;
  };
  const named = (parent: number, name: string) => server.all('file').find((one) => one.folder_id === parent && one.display_name === name);
  const file = (name: string, content: string, parent = theRoot(), uuid?: string): number => {
    const id = server.id();
    const about = { id, folder_id: parent, display_name: name, 'content-type': 'text/plain' };
    server.put('file', id, uuid === undefined ? about : { ...about, uuid }, place);
    upload(server, id, content);
    return id;
  };

  /** When the bytes have arrived: the condition is checked now. */
  const complete = ({ folder, name, overwrites, match, isNew, conflictName }: Ticket, text: string, uuid: string) => {
    const twin = named(folder, name);
    const isRefused = match === undefined ? isNew && twin !== undefined : !twin || match !== `"${twin.version}"`;
    if (isRefused) {
      const copy = conflictName === undefined ? undefined : server.get('file', file(freeName(folder, conflictName), text, folder, uuid));
      return { status: 412, body: { message: 'precondition failed', current: twin ?? null, ...(copy && { copy }) } };
    }
    if (twin && overwrites) server.remove('file', Number(twin.id));
    const made = file(overwrites ? name : freeName(folder, name), text, folder, uuid);
    return { status: 201, body: server.get('file', made) };
  };
  const freeName = (folder: number, name: string): string => {
    for (let nth = 0; ; nth++) {
      const free = nth === 0 ? name : `${name}-${nth}`;
      if (!named(folder, free)) return free;
    }
  };

  server.besides = ({ method, path, headers }, body) => {
    const { pathname } = new URL(path, server.url);
    const [, kind, at, into] = /^\/api\/v1\/(files|folders)\/(\d+)(\/files)?$/.exec(pathname) ?? [];
    const id = Number(at);
    if (/\/folders\/root$/.test(pathname)) return { status: 200, body: found('folder', theRoot()) ?? {} };
    if (pathname === '/bytes' && headers['content-type']?.startsWith('multipart/form-data')) {
      const uuid = /name="uuid"\r\n\r\n([^\r]+)/.exec(body)?.[1] ?? '';
      const ticket = tickets.get(uuid);
      const [, , text = ''] = /filename="([^"]*)"\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(body) ?? [];
      if (!ticket) return missing;
      // An upload creates one file, however often its bytes are sent.
      ticket.answer ??= complete(ticket, text, uuid);
      return ticket.answer;
    }
    const json = (body === '' || body.startsWith('-') ? {} : JSON.parse(body)) as Json;
    if (kind === 'folders' && into && method === 'POST') {
      const uuid = randomUUID();
      tickets.set(uuid, {
        folder: id,
        name: String(json.name),
        overwrites: json.on_duplicate === 'overwrite',
        match: isChecking ? headers['if-match'] : undefined,
        isNew: isChecking && headers['if-none-match'] === '*',
        conflictName: json.conflict_name as string | undefined,
      });
      return { status: 200, body: { upload_url: `${server.url}/bytes`, upload_params: { uuid }, file_param: 'file' } };
    }
    if (/\/(users\/self|courses\/\d+)\/folders$/.test(pathname) && method === 'POST') {
      const parent = Number(json.parent_folder_id);
      const isTaken = (name: string) => server.all('folder').some((one) => one.parent_folder_id === parent && one.name === name);
      let name = String(json.name);
      for (let nth = 2; isTaken(name); nth++) name = `${json.name} ${nth}`;
      const made = folder(name, parent);
      return { status: 200, body: server.get('folder', made) };
    }
    if (kind === undefined || into) return undefined;
    const one = found(kind === 'files' ? 'file' : 'folder', id);
    if (!one) return missing;
    const inIt = (kind: 'file' | 'folder', parent: string) => server.all(kind).filter((each) => each[parent] === id).length;
    const counts = kind === 'folders' && { files_count: inIt('file', 'folder_id'), folders_count: inIt('folder', 'parent_folder_id') };
    if (method === 'GET') return { status: 200, body: { ...one, ...counts } };
    const match = isChecking ? headers['if-match'] : undefined;
    if (match !== undefined && match !== `"${one.version}"`) return { status: 412, body: { message: 'precondition failed', current: one } };
    const isFull = [...server.all('file'), ...server.all('folder')].some(
      ({ folder_id, parent_folder_id }) => folder_id === id || parent_folder_id === id,
    );
    if (method === 'DELETE') {
      if (kind === 'folders' && isFull) return { status: 400, body: { message: 'not empty' } };
      server.remove(kind === 'files' ? 'file' : 'folder', id);
      return { status: 200, body: one };
    }
    if (kind === 'folders') {
      const { parent_folder_id } = json;
      const parent = Number(parent_folder_id ?? one.parent_folder_id);
      const isOther = (named: string) =>
        server.all('folder').some((each) => each.id !== id && each.parent_folder_id === parent && each.name === named);
      let name = String(json.name ?? one.name);
      for (let nth = 2; isOther(name); nth++) name = `${json.name ?? one.name} ${nth}`;
      server.change('folder', id, { name, ...(parent_folder_id !== undefined && { parent_folder_id }) });
      return { status: 200, body: server.get('folder', id) };
    }
    const twin = named(Number(json.parent_folder_id ?? one.folder_id), String(json.name ?? one.display_name));
    const isTaken = twin !== undefined && twin.id !== id;
    if (isTaken && json.on_duplicate === 'overwrite') server.remove('file', Number(twin.id));
    const called = isTaken && json.on_duplicate === 'rename' ? freeName(Number(twin.folder_id), String(twin.display_name)) : json.name;
    const change = {
      ...(called !== undefined && { display_name: called }),
      ...(json.parent_folder_id !== undefined && { folder_id: json.parent_folder_id }),
    };
    server.change('file', id, { ...change, updated_at: new Date().toISOString() });
    return { status: 200, body: server.get('file', id) };
  };

  const pathOf = ({ folder_id, display_name }: Json): string => {
    const names = [String(display_name)];
    for (let up = found('folder', Number(folder_id)); up && up.parent_folder_id !== null; up = found('folder', Number(up.parent_folder_id)))
      names.unshift(String(up.name));
    return names.join('/');
  };
  const all = (kind: 'file' | 'folder'): [path: string, id: number][] =>
    server
      .all(kind)
      .filter((one) => kind === 'file' || one.parent_folder_id !== null)
      .map((one) => [
        pathOf({ display_name: one.display_name ?? one.name, folder_id: one.folder_id ?? one.parent_folder_id }),
        Number(one.id),
      ]);
  return {
    file,
    folder: (name: string, parent = theRoot()) => folder(name, parent),
    /** The files by path. */
    tree: (): Record<string, string> =>
      Object.fromEntries(server.all('file').map((one) => [pathOf(one), String(server.bytes.get(Number(one.id)))])),
    folders: (): string[] => server.all('folder').map(({ name }) => String(name)),
    root: theRoot,
    /** By path, without the first folder. */
    all,
    find: (kind: 'file' | 'folder', path: string): number | undefined => all(kind).find(([one]) => one === path)?.[1],
  };
}
