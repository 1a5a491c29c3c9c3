// A mutation is one or more writes of REST. What REST refuses for its content is in the payload; what is missing or forbidden is an error of the request.

import { lookUp } from '@carrel/shared/wire/look_up';
import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { Graph } from '../graph';
import { snake } from '../graph';
import { legacyId } from '../ids';
import { type RestJson, refusalsIn } from '../rest';

export type Input = Readonly<Record<string, unknown>>;

export interface MutationCall {
  readonly input: Input;
  readonly graph: Graph;
  /** Sends a write. @throws GraphQLError or ContentRefusal */
  send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  readonly info: GraphQLResolveInfo;
}

export interface Mutation {
  /** SDL of the fields of the input. */
  readonly input: string;
  /** SDL of the fields of the payload, besides `errors`. */
  readonly payload: string;
  /** In place of the name of the mutation with `Input` or `Payload`. */
  readonly typeName?: string;
  run(call: MutationCall): Promise<Readonly<Record<string, unknown>>>;
}

export interface PayloadError {
  readonly attribute: string | null;
  readonly message: string;
}

/** Why REST refused the content of a write. */
export class ContentRefusal extends Error {
  constructor(readonly errors: readonly PayloadError[]) {
    super('The content was refused.');
  }
}

export const refuseContent = (attribute: string, message: string) => new ContentRefusal([{ attribute, message }]);

/** @throws ContentRefusal for a field of the input that would change what is written and that REST does not take */
export function refuseGiven(input: Input, names: readonly string[]): void {
  const given = names.find((name) => ![undefined, null, false].includes(lookUp(input, name) as null));
  if (given !== undefined) throw refuseContent(given, 'is not supported by this service');
}

export const missing = () => new GraphQLError('not found', { extensions: { code: 'notFound' } });
const forbidden = () => new GraphQLError('insufficient permission', { extensions: { code: 'insufficientPermission' } });

/** `assignment[due_at]` as the input names it. */
const inputName = (attribute: string | null): string | null => {
  if (attribute === null) return null;
  const last = /\[([a-z_]+)\]$/.exec(attribute)?.[1] ?? attribute;
  return last.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
};

/** The writes of one mutation, each with a name of its own. */
export function senderOf(graph: Graph, name: string): MutationCall['send'] {
  let count = 0;
  return async (method, path, body = {}) => {
    const answer = await graph.rest.send(method, path, body, `${name}:${++count}`);
    if (answer.status < 300) return answer.body;
    if (answer.status === 404) throw missing();
    if (answer.status === 401 || (answer.status === 403 && refusalsIn(answer.body).length === 0)) throw forbidden();
    if (answer.status >= 500) throw new GraphQLError('An error occurred.', { extensions: { code: 'internalServerError' } });
    throw new ContentRefusal(refusalsIn(answer.body).map(({ attribute, message }) => ({ attribute: inputName(attribute), message })));
  };
}

/** The number of an id in the input. @throws GraphQLError `not found` for what is no id of the type */
export function inputId(input: Input, name: string, type: string): number {
  const id = legacyId(lookUp(input, name), type);
  if (id === undefined) throw missing();
  return id;
}

/** The same where the input may leave it out. */
export const inputIdOrNone = (input: Input, name: string, type: string): number | null | undefined =>
  lookUp(input, name) === undefined ? undefined : lookUp(input, name) === null ? null : inputId(input, name, type);

/** @throws GraphQLError `not found` */
export const inputIds = (input: Input, name: string, type: string): number[] =>
  ((lookUp(input, name) ?? []) as unknown[]).map((id) => {
    const number = legacyId(id, type);
    if (number === undefined) throw missing();
    return number;
  });

/** The most objects that one mutation of several may name: each is a write. */
const mostNamed = 25;

/** @throws ContentRefusal for more ids than one mutation may write */
export function fewInputIds(input: Input, name: string, type: string): number[] {
  const ids = inputIds(input, name, type);
  if (ids.length > mostNamed) throw refuseContent(name, `has more than ${mostNamed} ids`);
  return ids;
}

/** The fields of the input with the names of REST; those that are missing are left out. */
export const renamed = (input: Input, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (lookUp(input, name) === undefined ? [] : [[snake(name), lookUp(input, name)]])));

export const asJson = (body: unknown): RestJson => (typeof body === 'object' && body !== null ? (body as RestJson) : {});
