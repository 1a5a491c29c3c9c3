// Rows of a list in the form that the desk uses: invalid rows are skipped, and rows without a name get one.

import type { Kind } from '@carrel/shared/sync/protocol';
import { isUploading } from '../upload_name';
import type { Row } from './kept_pages';

export const idOf = (kind: Kind, row: Row): number => Number(kind === 'page' ? row.page_id : row.id);

/** Fields without which an item can be neither shown nor placed. */
const names: Partial<Record<Kind, readonly string[]>> = {
  file: ['display_name', 'filename'],
  folder: ['name', 'full_name'],
  page: ['title', 'url'],
  assignment: ['name'],
  assignment_group: ['name'],
  module: ['name'],
  discussion_topic: ['title'],
  calendar_event: ['title'],
  planner_note: ['title'],
  group: ['name'],
};

export function asTold(kind: Kind, told: unknown): Row | undefined {
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return undefined;
  const row = told as Row;
  // An upload that will replace another file.
  if (kind === 'file' && isUploading(row.display_name)) return undefined;
  const id = idOf(kind, row);
  if (!Number.isSafeInteger(id) || id <= 0) return undefined;
  const [name, ...others] = names[kind] ?? [];
  const named = name === undefined || typeof row[name] === 'string' ? row : { ...row, [name]: nameAmong(row, others) ?? `${id}` };
  return kind === 'module' && Array.isArray(named.items) ? { ...named, items: named.items.filter(isItem) } : named;
}

const nameAmong = (row: Row, others: readonly string[]): string | undefined =>
  others.map((other) => row[other]).find((one): one is string => typeof one === 'string' && one !== '');

const isItem = (item: unknown): boolean => typeof item === 'object' && item !== null && 'id' in item && 'type' in item;
