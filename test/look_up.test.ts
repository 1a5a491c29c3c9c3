// No look-up finds inherited object properties: a key unknown at compile time goes through `lookUp` or `Object.hasOwn`.

import { join, relative, sep } from 'node:path';
import {
  isAsExpression,
  isBinaryExpression,
  isDeleteExpression,
  isElementAccessExpression,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const placeOf = (file: string) => relative(root, file).replaceAll(sep, '/');
const api = new API({ cwd: root });
afterAll(() => api.close());

/** Files with an exception, and the reason. */
const allowed: Readonly<Record<string, string>> = {
  'shared/wire/look_up.ts': 'the helper itself',
  'shared/wire/form.ts': 'builds trees without a prototype',
  'worker/http/router.ts': 'calls a router proxy that has no properties of its own',
};

/** Whether a key of this type may be any text. */
const isAnyText = (type: Type | undefined): boolean => {
  if (!type) return true;
  if (type.isUnionType()) return (type.getTypes() ?? []).some(isAnyText);
  const wide = TypeFlags.String | TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TemplateLiteral | TypeFlags.StringMapping;
  return (type.flags & wide) !== 0;
};

interface Access {
  readonly node: Node;
  readonly table: Node;
  readonly key: Node;
}

const isAssigned = (node: Node, parent: Node | undefined): boolean =>
  parent !== undefined &&
  ((isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === SyntaxKind.EqualsToken) ||
    isDeleteExpression(parent));

/** The type of a key before it is narrowed by an assertion. */
const uncast = (key: Node): Node => (isAsExpression(key) ? uncast(key.expression) : key);

/** `table[key]` where it is read, and `key in table`. */
function accessesIn(source: Node): Access[] {
  const found: Access[] = [];
  const visit = (node: Node, parent?: Node): void => {
    if (isElementAccessExpression(node) && !isAssigned(node, parent))
      found.push({ node, table: node.expression, key: uncast(node.argumentExpression as Node) });
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
      found.push({ node, table: node.right, key: uncast(node.left) });
    node.forEachChild((child) => visit(child, node));
  };
  visit(source);
  return found;
}

const isList = (checker: Checker, type: Type | undefined): boolean => {
  const there = type && (checker.getNonNullableType(type) ?? type);
  return there !== undefined && (checker.isArrayLikeType(there) || (there.flags & TypeFlags.StringLike) !== 0);
};

interface LookUp {
  readonly file: string;
  readonly expression: string;
}

/** The reads of tables by any text. */
function lookUpsOf(config: string): LookUp[] {
  const path = join(root, config);
  const project = api.updateSnapshot({ openProjects: [path] }).getProject(path);
  if (!project) throw new Error(`${config} is no project`);
  const { program, checker } = project;
  const files = program.getSourceFileNames().filter((file) => /^(worker|shared)\//.test(placeOf(file)) && !file.includes('node_modules'));
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const accesses = source ? accessesIn(source) : [];
    if (!source || accesses.length === 0) return [];
    const keys = checker.getTypeAtLocation(accesses.map(({ key }) => key));
    const tables = checker.getTypeAtLocation(accesses.map(({ table }) => table));
    return accesses.flatMap(({ node }, at) =>
      isAnyText(keys[at]) && !isList(checker, tables[at])
        ? [{ file: placeOf(file), expression: source.text.slice(node.pos, node.end).trim() }]
        : [],
    );
  });
}

test('tables are read by client text only through `lookUp`', { timeout: 120_000 }, () => {
  const found = lookUpsOf('worker/tsconfig.json');
  expect(found.filter(({ file }) => !Object.hasOwn(allowed, file))).toEqual([]);
  // The allowed reads are found, so that an empty list means something.
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(Object.keys(allowed).sort());
});
