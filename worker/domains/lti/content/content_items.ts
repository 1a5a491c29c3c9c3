// Content that was chosen in a tool: the items of a deep linking response, checked. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type DeepLinkType, deepLinkTypes } from '../../../rules/content_choices';
import { isLaunchAddress } from '../../external_tools/input';
import { customOf, WrongLink } from '../../lti_resource_links/link_rules';

export interface ChosenLineItem {
  readonly label: string | undefined;
  readonly scoreMaximum: number;
  readonly resourceId: string | undefined;
  readonly tag: string | undefined;
}

export interface ContentItem {
  readonly type: DeepLinkType;
  readonly title: string | undefined;
  readonly text: string | undefined;
  /** Undefined for HTML, and for a link to the tool itself. */
  readonly url: string | undefined;
  readonly html: string | undefined;
  /** Of a file. */
  readonly mediaType: string | undefined;
  readonly custom: Readonly<Record<string, string>>;
  readonly isFramed: boolean;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly lineItem: ChosenLineItem | undefined;
  /** When the assignment opens, is due and closes. */
  readonly unlock_at: string | undefined;
  readonly due_at: string | undefined;
  readonly lock_at: string | undefined;
}

export class WrongContent extends Error {}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const partAt = (json: Json, name: string): Json => {
  const part = lookUp(json, name);
  return isJson(part) ? part : {};
};

const most = 100;
const longestText = 10_000;
const longestHtml = 100_000;
const longestTitle = 255;

function textAt(json: Json, name: string, longest: number): string | undefined {
  const value = lookUp(json, name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > longest) throw new WrongContent(`${name} is not a text of at most ${longest} characters`);
  return value;
}

const sizeAt = (json: Json, name: string): number | undefined => {
  const value = Number(lookUp(json, name));
  return Number.isFinite(value) && value > 0 ? Math.min(Math.round(value), 10_000) : undefined;
};

function timeAt(json: Json, name: string): string | undefined {
  const text = textAt(json, name, 100);
  if (text === undefined) return undefined;
  const at = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new WrongContent(`${name} is not a time with a zone`);
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function lineItemOf(given: unknown): ChosenLineItem | undefined {
  if (!isJson(given)) return undefined;
  const scoreMaximum = Number(given.scoreMaximum);
  if (!Number.isFinite(scoreMaximum) || scoreMaximum < 0) throw new WrongContent('scoreMaximum of the line item is not a number');
  return {
    label: textAt(given, 'label', longestTitle),
    scoreMaximum,
    resourceId: textAt(given, 'resourceId', 1000),
    tag: textAt(given, 'tag', 1000),
  };
}

function urlOf(json: Json, type: DeepLinkType): string | undefined {
  const url = textAt(json, 'url', 4096);
  if (type === 'html') return undefined;
  if (url === undefined && type === 'ltiResourceLink') return undefined;
  if (url === undefined || !isLaunchAddress(url)) throw new WrongContent('url must be an http or https address');
  return url;
}

function customAt(json: Json): Record<string, string> {
  try {
    return customOf(json.custom);
  } catch (error) {
    if (error instanceof WrongLink) throw new WrongContent(error.message);
    throw error;
  }
}

function contentItemOf(given: unknown, accepts: readonly DeepLinkType[]): ContentItem {
  if (!isJson(given)) throw new WrongContent('an item is not an object');
  const type = deepLinkTypes.find((one) => one === given.type);
  if (!type || !accepts.includes(type)) throw new WrongContent(`items here are of the types ${accepts.join(', ')}`);
  const html = textAt(given, 'html', longestHtml);
  if (type === 'html' && html === undefined) throw new WrongContent('html is missing');
  const frame = partAt(given, 'iframe');
  const submission = partAt(given, 'submission');
  return {
    type,
    title: textAt(given, 'title', longestTitle),
    text: textAt(given, 'text', longestText),
    url: urlOf(given, type),
    html,
    mediaType: type === 'file' ? textAt(given, 'mediaType', 255) : undefined,
    custom: type === 'ltiResourceLink' ? customAt(given) : {},
    isFramed: isJson(given.iframe),
    width: sizeAt(frame, 'width') ?? sizeAt(given, 'width'),
    height: sizeAt(frame, 'height') ?? sizeAt(given, 'height'),
    lineItem: type === 'ltiResourceLink' ? lineItemOf(given.lineItem) : undefined,
    unlock_at: timeAt(partAt(given, 'available'), 'startDateTime'),
    due_at: timeAt(submission, 'endDateTime'),
    lock_at: timeAt(partAt(given, 'available'), 'endDateTime'),
  };
}

interface Accepting {
  readonly accepts: readonly DeepLinkType[];
  readonly isMultiple: boolean;
}

/** @param given `content_items` of the response; none is an empty list @throws WrongContent */
export function contentItemsOf(given: unknown, { accepts, isMultiple }: Accepting): ContentItem[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw new WrongContent('content_items is not a list');
  if (given.length > (isMultiple ? most : 1))
    throw new WrongContent(isMultiple ? `more than ${most} items` : 'only one item can be chosen here');
  return given.map((item) => contentItemOf(item, accepts));
}
