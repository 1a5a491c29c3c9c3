// Rows of a list in the form that the desk uses: invalid rows are skipped, and rows without a name get one.

import type { Kind } from '@carrel/shared/sync/protocol';
import { isUploading } from '../upload_name';
import type { CanvasRow } from './kept_pages';

export const rowIdOf = (kind: Kind, row: CanvasRow): number => Number(kind === 'page' ? row.page_id : row.id);

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

export function usableRow(kind: Kind, result: unknown): CanvasRow | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  const row = result as CanvasRow;
  // An upload that will replace another file.
  if (kind === 'file' && isUploading(row.display_name)) return undefined;
  const id = rowIdOf(kind, row);
  if (!Number.isSafeInteger(id) || id <= 0) return undefined;
  const [name, ...others] = names[kind] ?? [];
  const named = name === undefined || typeof row[name] === 'string' ? row : { ...row, [name]: nameAmong(row, others) ?? `${id}` };
  return kind === 'module' && Array.isArray(named.items) ? { ...named, items: named.items.filter(isItem) } : named;
}

const nameAmong = (row: CanvasRow, others: readonly string[]): string | undefined =>
  others.map((other) => row[other]).find((one): one is string => typeof one === 'string' && one !== '');

const isItem = (item: unknown): boolean => typeof item === 'object' && item !== null && 'id' in item && 'type' in item;
