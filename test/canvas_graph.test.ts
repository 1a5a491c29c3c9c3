// The schema declares what clients of Canvas ask for, and the documentation says what of it has no data.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absentMutations } from '@carrel/worker/graphql/absent/mutations';
import { absentFields } from '@carrel/worker/graphql/absent/types';
import { schemaOf } from '@carrel/worker/graphql/schema';
import { isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { canvasGraph } from './support/canvas_graph';

const fieldsOf = (name: string) => {
  const type = schemaOf().getType(name);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : undefined;
};

test('every field of Canvas is declared', () => {
  const missing = Object.entries(canvasGraph).flatMap(([type, names]) =>
    names.split(' ').flatMap((name) => (fieldsOf(type)?.[name] ? [] : [`${type}.${name}`])),
  );
  expect(missing).toEqual([]);
});

test('each field without data is in the schema and in the documentation', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/graphql.md'), 'utf8');
  const absent = Object.entries(absentFields).flatMap(([type, names]) => names.map((name) => [type, name] as const));
  expect(absent.filter(([type, name]) => !fieldsOf(type)?.[name])).toEqual([]);
  const rows = new Map([...text.matchAll(/^\| (\w+) \| (.*) \|$/gm)].map(([, type, names]) => [type, names ?? '']));
  expect(absent.filter(([type, name]) => !rows.get(type)?.includes(`\`${name}\``)).map((one) => one.join('.'))).toEqual([]);
  expect(Object.keys(absentMutations).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
