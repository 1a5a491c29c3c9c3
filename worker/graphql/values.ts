// Values of fields that REST writes in another form.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Resolver } from './graph';

/** A key of REST with another name. */
export const key =
  (name: string): Resolver =>
  (item, _args, graph) =>
    graph.value(item, name);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapedHtml = (given: unknown): string | null =>
  typeof given === 'string' ? given.replace(/[&<>"']/g, (character) => lookUp(entities, character) ?? character) : null;

/** A key of REST as a text whose HTML characters are escaped. */
export const escapedKey =
  (name: string): Resolver =>
  async (item, _args, graph) =>
    escapedHtml(await graph.value(item, name));

/** A key of REST, if it is one of these words. */
export const oneOfKey =
  (name: string, words: readonly string[], otherwise: string | null = null): Resolver =>
  async (item, _args, graph) => {
    const value = await graph.value(item, name);
    return words.includes(String(value)) ? value : otherwise;
  };

export const isTrue =
  (name: string): Resolver =>
  async (item, _args, graph) =>
    (await graph.value(item, name)) === true;

/** Ids as a list of REST takes them. */
export const listArg = (given: unknown): unknown[] | undefined => (Array.isArray(given) ? given : undefined);

export const objectArg = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
