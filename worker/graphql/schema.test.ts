import { isInputObjectType, isObjectType, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { mutationTypes } from './mutations/all';
import { loaders, schemaOf } from './schema';
import { allTypes } from './types/all';
import { basics } from './types/basics';

const modules = [basics, ...allTypes, mutationTypes];

test('the schema is valid, and each resolver and loader belongs to a field or type of it', () => {
  const schema = schemaOf();
  expect(validateSchema(schema)).toEqual([]);
  const unknown = modules.flatMap(({ resolvers }) =>
    Object.entries(resolvers ?? {}).flatMap(([name, fields]) => {
      const type = schema.getType(name);
      return isObjectType(type) ? Object.keys(fields).flatMap((field) => (type.getFields()[field] ? [] : [`${name}.${field}`])) : [name];
    }),
  );
  expect(unknown).toEqual([]);
  expect([...loaders.keys()].filter((name) => !isObjectType(schema.getType(name)))).toEqual([]);
});

test('every connection can be paged', () => {
  const unpaged = Object.values(schemaOf().getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap((field) =>
          /Connection!?$/.test(String(field.type)) && !field.args.some(({ name }) => name === 'after')
            ? [`${type.name}.${field.name}`]
            : [],
        )
      : [],
  );
  expect(unpaged).toEqual([]);
});

test('every type and input is reachable', () => {
  const schema = schemaOf();
  const text = modules.map(({ sdl }) => sdl).join('\n');
  const unused = Object.values(schema.getTypeMap()).filter(
    (type) =>
      (isObjectType(type) || isInputObjectType(type)) &&
      !['Query', 'Mutation'].includes(type.name) &&
      !type.name.startsWith('__') &&
      !loaders.has(type.name) &&
      !/(Connection|Edge|PageInfo)$/.test(type.name) &&
      !new RegExp(`[:\\[|=] ?\\[?${type.name}\\b|\\b${type.name}Connection`).test(text) &&
      (isInputObjectType(type) || type.getInterfaces().every(({ name }) => name !== 'ModuleItemInterface')),
  );
  expect(unused.map(({ name }) => name)).toEqual([]);
});
