// Parses a CSV of group memberships (reference 02 §5.5). Pure.

import { BadCsv, CsvReader } from '@carrel/shared/csv/reader';

export interface ImportedMember {
  readonly canvas_group_id?: string;
  readonly group_id?: string;
  readonly group_name?: string;
  readonly canvas_user_id?: string;
  readonly user_id?: string;
  readonly login_id?: string;
  readonly status?: string;
}

const columns = ['canvas_group_id', 'group_id', 'group_name', 'canvas_user_id', 'user_id', 'login_id', 'status'] as const;

/** @throws BadCsv for an invalid file, or one without group or user columns */
export function importedMembers(file: Uint8Array): ImportedMember[] {
  const reader = new CsvReader(0);
  const [head, ...rows] = [...reader.push(file), ...reader.finish()].map(({ cells }) => cells);
  const names = (head ?? []).map((cell) => cell.trim().toLowerCase());
  const has = (...some: string[]) => some.some((name) => names.includes(name));
  if (!has('canvas_group_id', 'group_id', 'group_name')) throw new BadCsv('there is no column with groups');
  if (!has('canvas_user_id', 'user_id', 'login_id')) throw new BadCsv('there is no column with users');
  return rows.map((cells) =>
    Object.fromEntries(
      columns.flatMap((name) => {
        const value = cells[names.indexOf(name)]?.trim();
        return value ? [[name, value]] : [];
      }),
    ),
  );
}

interface Group {
  readonly id: number;
  readonly name: string;
  readonly sis_group_id: string | null;
}
interface Person {
  readonly id: number;
  readonly sis_user_id: string | null;
  readonly unique_id: string | null;
}

interface Seating {
  /** Names of groups to be created. */
  readonly newGroups: readonly string[];
  readonly joins: readonly { readonly group_id?: number; readonly group_name?: string; readonly user_id: number }[];
  readonly leaves: readonly { readonly group_id: number; readonly user_id: number }[];
  /** Number of rows with an unknown group or user. */
  readonly skipped: number;
}

/** The changes to make; for several rows about a user, the last one counts. */
export function plannedMemberships(rows: readonly ImportedMember[], groups: readonly Group[], people: readonly Person[]): Seating {
  const folded = (name: string) => name.toLowerCase();
  const groupOf = (row: ImportedMember) =>
    row.canvas_group_id !== undefined
      ? groups.find(({ id }) => String(id) === row.canvas_group_id)
      : row.group_id !== undefined
        ? groups.find(({ sis_group_id }) => sis_group_id === row.group_id)
        : groups.find(({ name }) => folded(name) === folded(row.group_name ?? ''));
  const personOf = (row: ImportedMember) =>
    row.canvas_user_id !== undefined
      ? people.find(({ id }) => String(id) === row.canvas_user_id)
      : people.find(({ sis_user_id, unique_id }) =>
          row.user_id !== undefined
            ? sis_user_id === row.user_id
            : row.login_id !== undefined && unique_id !== null && folded(unique_id) === folded(row.login_id),
        );
  const joins = new Map<number, Seating['joins'][number]>();
  const leaves: Seating['leaves'][number][] = [];
  const newGroups = new Map<string, string>();
  let skipped = 0;
  for (const row of rows) {
    const group = groupOf(row);
    const person = personOf(row);
    const isNew = !group && row.canvas_group_id === undefined && row.group_id === undefined && row.group_name !== undefined;
    const name = row.group_name?.slice(0, 255) ?? '';
    if (isNew && row.status !== 'deleted') newGroups.set(folded(name), newGroups.get(folded(name)) ?? name);
    if (!person || (!group && !isNew)) skipped += 1;
    else if (row.status === 'deleted') {
      if (group) leaves.push({ group_id: group.id, user_id: person.id });
    } else joins.set(person.id, { ...(group ? { group_id: group.id } : { group_name: name }), user_id: person.id });
  }
  return { newGroups: [...newGroups.values()], joins: [...joins.values()], leaves, skipped };
}
