import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { limits, queryShapeOf, refuseShape } from './limits';

test('depth and fields include those of fragments, however often they are used', () => {
  const query = 'query { a { b ...F } c: a { ...F } } fragment F on T { d { e } ... on U { f { g { h } } } }';
  expect(queryShapeOf(parse(query))).toEqual({ depth: 4, fields: 1 + 1 + 5 + 1 + 5 });
});

test('introspection does not count as depth', () => {
  expect(queryShapeOf(parse('{ __schema { types { fields { type { ofType { ofType { name } } } } } } }')).depth).toBe(1);
});

test('fragments that double at each step are counted without being expanded', () => {
  const steps = Array.from({ length: 60 }, (_, n) => `fragment F${n} on T { ...F${n + 1} ...F${n + 1} }`);
  const query = parse(`{ ...F0 } ${steps.join(' ')} fragment F60 on T { a }`);
  expect(queryShapeOf(query).fields).toBe(2 ** 60);
  expect(() => refuseShape(query)).toThrow(`exceeds max complexity of ${limits.fields}`);
});

test('a fragment that contains itself ends', () => {
  expect(queryShapeOf(parse('{ ...A } fragment A on T { a ...B } fragment B on T { b ...A }')).fields).toBe(2);
});

test('a query that is too deep is refused with its depth', () => {
  const deep = (levels: number) => parse(`${'{ a '.repeat(levels)}${'}'.repeat(levels)}`);
  expect(() => refuseShape(deep(limits.depth))).not.toThrow();
  expect(() => refuseShape(deep(limits.depth + 1))).toThrow(`exceeds max depth of ${limits.depth}`);
});
