// What the fake server needs to receive files: folders, uploads in three steps, renames, moves and deletions, in a course or among own files.

import { randomUUID } from 'node:crypto';
import { setContent } from './course';
import type { FakeRequest, FakeServer } from './fake_server';
import type { FakeReply } from './fake_writes';

type Json = Record<string, unknown>;

interface Request {
  readonly method: string;
  readonly headers: FakeRequest['headers'];
  readonly body: string;
  readonly json: () => Json;
}

interface Ticket {
  readonly folder: number;
  readonly name: string;
  readonly overwrites: boolean;
  /** The condition of the upload, checked when its bytes have arrived. */
  readonly match?: string | undefined;
  readonly isNew: boolean;
  readonly conflictName?: string | undefined;
  answer?: FakeReply;
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
    setContent(server, id, content);
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

  const isTaken = (name: string, parent: number, id?: number) =>
    server.all('folder').some((one) => one.id !== id && one.parent_folder_id === parent && one.name === name);
  /** A folder of a name that exists gets a number. */
  const freeFolder = (name: string, parent: number, id?: number): string => {
    let free = name;
    for (let nth = 2; isTaken(free, parent, id); nth++) free = `${name} ${nth}`;
    return free;
  };
  const childrenOf = (id: number) => ({
    files_count: server.all('file').filter(({ folder_id }) => folder_id === id).length,
    folders_count: server.all('folder').filter(({ parent_folder_id }) => parent_folder_id === id).length,
  });

  const arrive = (uuid: string, text: string): FakeReply => {
    const ticket = tickets.get(uuid);
    if (!ticket) return missing;
    ticket.answer ??= complete(ticket, text, uuid);
    return ticket.answer;
  };

  /** Where bytes are sent. An upload creates one file, however often they are sent. */
  const takeBytes = ({ body }: Request): FakeReply => {
    const uuid = /name="uuid"\r\n\r\n([^\r]+)/.exec(body)?.[1] ?? '';
    const [, , text = ''] = /filename="([^"]*)"\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(body) ?? [];
    return arrive(uuid, text);
  };

  const beginUpload = ({ headers, json }: Request, folder: number): FakeReply => {
    const uuid = randomUUID();
    const { name, on_duplicate, conflict_name } = json();
    tickets.set(uuid, {
      folder,
      name: String(name),
      overwrites: on_duplicate === 'overwrite',
      match: isChecking ? headers['if-match'] : undefined,
      isNew: isChecking && headers['if-none-match'] === '*',
      conflictName: conflict_name as string | undefined,
    });
    return { status: 200, body: { upload_url: `${server.url}/bytes`, upload_params: { uuid }, file_param: 'file' } };
  };

  const addFolder = ({ json }: Request): FakeReply => {
    const { name, parent_folder_id } = json();
    const parent = Number(parent_folder_id);
    return { status: 200, body: server.get('folder', folder(freeFolder(String(name), parent), parent)) };
  };

  const remove = (kind: 'file' | 'folder', one: Json): FakeReply => {
    const { files_count, folders_count } = childrenOf(Number(one.id));
    if (kind === 'folder' && files_count + folders_count > 0) return { status: 400, body: { message: 'not empty' } };
    server.remove(kind, Number(one.id));
    return { status: 200, body: one };
  };

  const changeFolder = (one: Json, { name = one.name, parent_folder_id }: Json): FakeReply => {
    const id = Number(one.id);
    const parent = Number(parent_folder_id ?? one.parent_folder_id);
    const free = freeFolder(String(name), parent, id);
    server.change('folder', id, { name: free, ...(parent_folder_id !== undefined && { parent_folder_id }) });
    return { status: 200, body: server.get('folder', id) };
  };

  const changeFile = (one: Json, { name, parent_folder_id, on_duplicate }: Json): FakeReply => {
    const id = Number(one.id);
    const twin = named(Number(parent_folder_id ?? one.folder_id), String(name ?? one.display_name));
    const other = twin?.id === id ? undefined : twin;
    if (other && on_duplicate === 'overwrite') server.remove('file', Number(other.id));
    const called = other && on_duplicate === 'rename' ? freeName(Number(other.folder_id), String(other.display_name)) : name;
    server.change('file', id, {
      ...(called !== undefined && { display_name: called }),
      ...(parent_folder_id !== undefined && { folder_id: parent_folder_id }),
      updated_at: new Date().toISOString(),
    });
    return { status: 200, body: server.get('file', id) };
  };

  const onOne = ({ method, headers, json }: Request, kind: 'file' | 'folder', id: number): FakeReply => {
    const one = found(kind, id);
    if (!one) return missing;
    if (method === 'GET') return { status: 200, body: { ...one, ...(kind === 'folder' && childrenOf(id)) } };
    const match = isChecking ? headers['if-match'] : undefined;
    if (match !== undefined && match !== `"${one.version}"`) return { status: 412, body: { message: 'precondition failed', current: one } };
    if (method === 'DELETE') return remove(kind, one);
    return kind === 'folder' ? changeFolder(one, json()) : changeFile(one, json());
  };

  server.besides = ({ method, path, headers }, body) => {
    const { pathname } = new URL(path, server.url);
    const request: Request = { method, headers, body, json: () => (body === '' ? {} : JSON.parse(body)) };
    if (/\/folders\/root$/.test(pathname)) return { status: 200, body: found('folder', theRoot()) ?? {} };
    if (pathname === '/bytes' && headers['content-type']?.startsWith('multipart/form-data')) return takeBytes(request);
    if (method === 'POST' && /\/(users\/self|courses\/\d+)\/folders$/.test(pathname)) return addFolder(request);
    const [, kind, at, into] = /^\/api\/v1\/(file|folder)s\/(\d+)(\/files)?$/.exec(pathname) ?? [];
    if (method === 'POST' && kind === 'folder' && into) return beginUpload(request, Number(at));
    return kind === undefined || into ? undefined : onOne(request, kind as 'file' | 'folder', Number(at));
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
    /** The bytes of a ticket have arrived. */
    arrive,
    /** By path, without the first folder. */
    all,
    find: (kind: 'file' | 'folder', path: string): number | undefined => all(kind).find(([one]) => one === path)?.[1],
  };
}
