// Builders for the contents of the fake server.

import { createHash } from 'node:crypto';
import type { FakeServer } from './fake_server';

export interface FakeCourse {
  readonly id: number;
  readonly root: number;
  folder(name: string, parent?: number): number;
  file(name: string, content: string | Buffer, folder?: number): number;
  page(title: string, body: string, more?: Record<string, unknown>): number;
  assignment(name: string, more?: Record<string, unknown>): number;
}

export function aFakeCourse(server: FakeServer, name = 'Algebra'): FakeCourse {
  const id = server.id();
  server.put('course', id, { id, name, course_code: name.slice(0, 3).toUpperCase(), term: { name: 'Autumn' } });
  const folder = (name: string, parent: number | null): number => {
    const folder = server.id();
    return server.put('folder', folder, { id: folder, name, parent_folder_id: parent, context_type: 'Course', context_id: id }, id);
  };
  const root = folder('course files', null);
  return {
    id,
    root,
    folder: (name, parent = root) => folder(name, parent),
    file(name, content, parent = root) {
      const file = server.id();
      server.put('file', file, { id: file, folder_id: parent, display_name: name, filename: name, 'content-type': 'text/plain' }, id);
      setContent(server, file, content);
      return file;
    },
    page(title, body, more = {}) {
      const page = server.id();
      const url = title.toLowerCase().replaceAll(/\W+/g, '-');
      return server.put(
        'page',
        page,
        { page_id: page, url, title, body, updated_at: '2026-11-01T10:00:00Z', published: true, ...more },
        id,
      );
    },
    assignment(name, more = {}) {
      const assignment = server.id();
      return server.put(
        'assignment',
        assignment,
        {
          id: assignment,
          course_id: id,
          name,
          description: '',
          due_at: null,
          points_possible: 10,
          submission_types: ['online_upload'],
          ...more,
        },
        id,
      );
    },
  };
}

let minutes = 0;

/** New content under the same id. */
export function setContent(server: FakeServer, id: number, content: string | Buffer): void {
  const bytes = Buffer.from(content);
  server.bytes.set(id, bytes);
  const at = new Date(Date.UTC(2026, 8, 1) + minutes++ * 60_000).toISOString();
  server.change('file', id, {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    url: `${server.url}/files/${id}/download?download_frd=1&verifier=v${id}`,
    modified_at: at,
    updated_at: at,
  });
}
