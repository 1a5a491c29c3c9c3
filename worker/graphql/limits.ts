// What one query may ask for. The shape of a query is checked before it is executed; reads, statements and objects are counted while it is.

import { type DocumentNode, type FragmentDefinitionNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql';

export const limits = {
  /** Characters of a query. */
  text: 100_000,
  tokens: 6_000,
  /** Levels of fields; introspection does not count. */
  depth: 15,
  /** Fields, each use of a fragment counted. */
  fields: 1_000,
  /** Lists and objects read by REST. */
  reads: 250,
  /** Statements of the database. */
  statements: 1_000,
  /** Objects in the response. */
  objects: 20_000,
  /** Values in the response, those of introspection too. */
  values: 200_000,
  /** Mutations of a request. */
  mutations: 20,
} as const;

interface Shape {
  readonly depth: number;
  readonly fields: number;
}

const none: Shape = { depth: 0, fields: 0 };

/** The depth of a document and the number of its fields. A fragment that contains itself is not followed: validation refuses it. */
export function queryShapeOf(document: DocumentNode): Shape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const known = new Map<string, Shape>();
  const open = new Set<string>();

  function ofFragment(name: string): Shape {
    const before = known.get(name);
    if (before) return before;
    const fragment = fragments.get(name);
    if (!fragment || open.has(name)) return none;
    open.add(name);
    const shape = ofSelections(fragment.selectionSet);
    open.delete(name);
    known.set(name, shape);
    return shape;
  }

  function ofSelections({ selections }: SelectionSetNode): Shape {
    let [depth, fields] = [0, 0];
    for (const selection of selections) {
      const shape =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? ofSelections(selection.selectionSet)
            : ofField(selection.name.value, selection.selectionSet);
      depth = Math.max(depth, shape.depth);
      fields += shape.fields;
    }
    return { depth, fields };
  }

  function ofField(name: string, selectionSet: SelectionSetNode | undefined): Shape {
    const below = selectionSet ? ofSelections(selectionSet) : none;
    if (name.startsWith('__')) return { depth: 1, fields: below.fields + 1 };
    return { depth: below.depth + 1, fields: below.fields + 1 };
  }

  let whole = none;
  for (const one of document.definitions) {
    if (one.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, fields } = ofSelections(one.selectionSet);
    whole = { depth: Math.max(whole.depth, depth), fields: whole.fields + fields };
  }
  return whole;
}

const tooMuch = (code: string, message: string) => new GraphQLError(message, { extensions: { code } });

/** @throws GraphQLError for a document beyond the limits of depth or fields */
export function refuseShape(document: DocumentNode): void {
  const { depth, fields } = queryShapeOf(document);
  if (depth > limits.depth) throw tooMuch('queryTooDeep', `Query has depth of ${depth}, which exceeds max depth of ${limits.depth}`);
  if (fields > limits.fields)
    throw tooMuch('queryTooComplex', `Query has ${fields} fields, which exceeds max complexity of ${limits.fields}`);
}

export const tooManyReads = () =>
  tooMuch('queryTooCostly', `Query reads more than ${limits.reads} lists and objects; ask for fewer parents at once, with "first"`);
export const tooManyStatements = () =>
  tooMuch('queryTooCostly', `Query needs more than ${limits.statements} database statements; ask for fewer parents at once, with "first"`);
export const tooManyObjects = () =>
  tooMuch('queryTooCostly', `Query returns more than ${limits.objects} objects; ask for fewer at once, with "first"`);
export const tooManyValues = () =>
  tooMuch('queryTooCostly', `Query returns more than ${limits.values} values; ask for fewer objects or fields at once`);
