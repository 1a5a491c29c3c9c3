// The messages of the outcomes service of LTI 1.1 (reference 06 §7). Pure.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { XMLParser } from 'fast-xml-parser';
import { escapeHtml } from '../../site/frame';

export type OutcomeOperation = 'replaceResult' | 'readResult' | 'deleteResult';

export interface OutcomeRequest {
  readonly messageId: string;
  /** Undefined for one that is not supported, whose name is in `name`. */
  readonly operation: OutcomeOperation | undefined;
  readonly name: string;
  readonly sourcedId: string;
  /** From 0 to 1. */
  readonly score: string | undefined;
  /** In points, instead of the score. */
  readonly totalScore: string | undefined;
  /** Work that the student has done in the tool. */
  readonly work: OutcomeWork | undefined;
  /** As the tool sent it. */
  readonly submittedAt: string | undefined;
}

export interface OutcomeWork {
  readonly type: 'online_text_entry' | 'online_url' | 'basic_lti_launch';
  readonly data: string;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const parser = new XMLParser({ ignoreAttributes: true, removeNSPrefix: true, parseTagValue: false });
const longest = 100_000;

/** What is at a path of elements; the first of several. */
function at(node: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => {
    const child = isNode(found) ? lookUp(found, name) : undefined;
    return Array.isArray(child) ? child[0] : child;
  }, node);
}
const textAt = (node: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(node, ...path);
  return typeof found === 'string' ? found.trim() : undefined;
};

const operations: readonly OutcomeOperation[] = ['replaceResult', 'readResult', 'deleteResult'];

const kindsOfWork = { text: 'online_text_entry', url: 'online_url', ltiLaunchUrl: 'basic_lti_launch' } as const;

function workAt(result: unknown): OutcomeWork | undefined {
  for (const [name, type] of Object.entries(kindsOfWork)) {
    const data = textAt(result, 'resultData', name);
    if (data) return { type, data };
  }
  return undefined;
}

/** The request; undefined for another document, and for one that declares entities. */
export function outcomeRequestOf(xml: string): OutcomeRequest | undefined {
  if (xml.length > longest || /<!\s*(DOCTYPE|ENTITY)/i.test(xml)) return undefined;
  let root: unknown;
  try {
    root = parser.parse(xml, true);
  } catch {
    return undefined;
  }
  const envelope = at(root, 'imsx_POXEnvelopeRequest');
  if (!isNode(envelope)) return undefined;
  const body = at(envelope, 'imsx_POXBody');
  const [name = ''] = isNode(body) ? Object.keys(body) : [];
  const operation = operations.find((one) => `${one}Request` === name);
  const record = at(body, name, 'resultRecord');
  return {
    messageId: textAt(envelope, 'imsx_POXHeader', 'imsx_POXRequestHeaderInfo', 'imsx_messageIdentifier') ?? '',
    operation,
    name: name.replace(/Request$/, ''),
    sourcedId: textAt(record, 'sourcedGUID', 'sourcedId') ?? '',
    score: textAt(record, 'result', 'resultScore', 'textString'),
    totalScore: textAt(record, 'result', 'resultTotalScore', 'textString'),
    work: workAt(at(record, 'result')),
    submittedAt: textAt(body, name, 'submissionDetails', 'submittedAt') ?? textAt(record, 'submissionDetails', 'submittedAt'),
  };
}

/** The points that a request gives; an error where it gives none. */
export function pointsGiven(
  { score, totalScore }: Pick<OutcomeRequest, 'score' | 'totalScore'>,
  points_possible: number | null,
): { readonly points: number } | { readonly error: string } {
  if (totalScore) {
    const total = Number(totalScore);
    return Number.isFinite(total) ? { points: total } : { error: 'The total score is not a number' };
  }
  if (!score) return { error: 'No score given' };
  const part = Number(score);
  if (!Number.isFinite(part) || part < 0 || part > 1) return { error: 'Score is not between 0 and 1' };
  if (points_possible === null || points_possible <= 0) return { error: 'Assignment has no points possible.' };
  return { points: part * points_possible };
}

const minute = 60_000;

/**
 * When the work was handed in; undefined where the request does not say so.
 * @param now in milliseconds
 */
export function submittedAtOf(
  { submittedAt }: Pick<OutcomeRequest, 'submittedAt'>,
  now: number,
): { readonly at: string | undefined } | { readonly error: string } {
  if (!submittedAt) return { at: undefined };
  const isZoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(submittedAt);
  const at = isZoned ? Date.parse(submittedAt) : Number.NaN;
  if (Number.isNaN(at)) return { error: 'submittedAt is not a time with a zone' };
  return at > now + minute ? { error: 'submittedAt is in the future' } : { at: wireTime(at) };
}

interface OutcomeResult {
  readonly code: 'success' | 'failure' | 'unsupported';
  readonly description: string;
  readonly body?: string;
}

/** The answer to a request. */
export function outcomeResponse(
  request: Pick<OutcomeRequest, 'messageId' | 'name'> | undefined,
  { code, description, body = '' }: OutcomeResult,
): string {
  return `<?xml version="1.0" encoding="UTF-8"?><imsx_POXEnvelopeResponse xmlns="http://www.imsglobal.org/services/ltiv1p1/xsd/imsoms_v1p0"><imsx_POXHeader><imsx_POXResponseHeaderInfo><imsx_version>V1.0</imsx_version><imsx_messageIdentifier>${crypto.randomUUID()}</imsx_messageIdentifier><imsx_statusInfo><imsx_codeMajor>${code}</imsx_codeMajor><imsx_severity>${code === 'success' ? 'status' : 'error'}</imsx_severity><imsx_description>${escapeHtml(description)}</imsx_description><imsx_messageRefIdentifier>${escapeHtml(request?.messageId.slice(0, 500) ?? '')}</imsx_messageRefIdentifier><imsx_operationRefIdentifier>${escapeHtml(request?.name.slice(0, 100) ?? '')}</imsx_operationRefIdentifier></imsx_statusInfo></imsx_POXResponseHeaderInfo></imsx_POXHeader><imsx_POXBody>${body}</imsx_POXBody></imsx_POXEnvelopeResponse>`;
}

/** The body of the answer to `readResult`. @param part of the points, from 0 to 1 */
export const readResultBody = (part: number | undefined): string =>
  `<readResultResponse><result><resultScore><language>en</language><textString>${part === undefined ? '' : String(part)}</textString></resultScore></result></readResultResponse>`;
