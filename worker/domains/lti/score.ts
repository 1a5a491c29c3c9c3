// A score as a tool sends it (reference 06 §8). Pure.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';

export const activities = ['Initialized', 'Started', 'InProgress', 'Submitted', 'Completed'] as const;
export const gradings = ['FullyGraded', 'PendingManual', 'Pending', 'Failed', 'NotReady'] as const;
const counted: readonly string[] = ['FullyGraded', 'PendingManual'];
export const submissionClaim = 'https://canvas.instructure.com/lti/submission';

export interface SentScore {
  readonly userId: string;
  readonly activityProgress: (typeof activities)[number];
  readonly gradingProgress: (typeof gradings)[number];
  /** As it was sent, and in milliseconds. */
  readonly timestamp: string;
  readonly at: number;
  readonly scoreGiven: number | undefined;
  readonly scoreMaximum: number | undefined;
  readonly comment: string | undefined;
  readonly submission: {
    readonly type: string;
    readonly isNew: boolean;
    readonly data: string | undefined;
    readonly submitted_at: string | undefined;
    readonly keepsGradeOfOthers: boolean;
  };
}

/** What is wrong, with its status. */
export class WrongScore extends Error {
  constructor(
    readonly status: 400 | 422,
    message: string,
  ) {
    super(message);
  }
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const longest = 10_000;
const minute = 60_000;

function textAt(json: Json, name: string): string | undefined {
  const value = lookUp(json, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > longest) throw new WrongScore(400, `${name} is not a text`);
  return value;
}

function numberAt(json: Json, name: string): number | undefined {
  const value = lookUp(json, name);
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new WrongScore(422, `${name} is not a number`);
  return number;
}

function wordAt<const W extends readonly string[]>(json: Json, name: string, words: W): W[number] {
  const value = words.find((word) => word === lookUp(json, name));
  if (value === undefined) throw new WrongScore(422, `${name} must be one of ${words.join(', ')}`);
  return value;
}

/** ISO 8601 with seconds and a zone; otherwise its order would be unknown. */
function timeAt(json: Json, name: string): { text: string; at: number } | undefined {
  const text = textAt(json, name);
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new WrongScore(400, `${name} is not a time with a zone`);
  return { text, at };
}

const types = ['none', 'basic_lti_launch', 'online_text_entry', 'online_url', 'external_tool', 'online_upload'] as const;

function submissionOf(given: unknown, now: number): SentScore['submission'] {
  const json = isJson(given) ? given : {};
  const type = json.submission_type === undefined ? 'external_tool' : wordAt(json, 'submission_type', types);
  if (type === 'online_upload') throw new WrongScore(422, 'submission_type online_upload is not supported');
  const submitted = timeAt(json, 'submitted_at');
  if (submitted && submitted.at > now + minute) throw new WrongScore(400, 'submitted_at is in the future');
  const data = textAt(json, 'submission_data');
  if (type !== 'none' && type !== 'external_tool' && !data?.trim()) throw new WrongScore(422, `submission_data is missing for ${type}`);
  return {
    type,
    isNew: type !== 'none' && json.new_submission !== false,
    data,
    submitted_at: submitted && wireTime(submitted.at),
    keepsGradeOfOthers: json.prioritize_non_tool_grade === true,
  };
}

/**
 * The score that a request sends.
 * @param now in milliseconds
 * @throws WrongScore
 */
export function sentScoreOf(given: unknown, now: number): SentScore {
  if (!isJson(given)) throw new WrongScore(400, 'the score is not an object');
  const userId = textAt(given, 'userId');
  if (!userId) throw new WrongScore(422, 'userId is missing');
  const timestamp = timeAt(given, 'timestamp');
  if (!timestamp) throw new WrongScore(400, 'timestamp is missing');
  const gradingProgress = wordAt(given, 'gradingProgress', gradings);
  const scoreGiven = numberAt(given, 'scoreGiven');
  const scoreMaximum = numberAt(given, 'scoreMaximum');
  if (scoreGiven !== undefined && scoreGiven < 0) throw new WrongScore(422, 'scoreGiven must not be negative');
  if (scoreGiven !== undefined && scoreMaximum === undefined) throw new WrongScore(422, 'scoreMaximum is missing');
  if (scoreMaximum !== undefined && scoreMaximum < 0) throw new WrongScore(422, 'scoreMaximum must not be negative');
  return {
    userId,
    activityProgress: wordAt(given, 'activityProgress', activities),
    gradingProgress,
    timestamp: timestamp.text,
    at: timestamp.at,
    scoreGiven,
    scoreMaximum,
    comment: textAt(given, 'comment'),
    submission: submissionOf(lookUp(given, submissionClaim), now),
  };
}

/** The points of an assignment; undefined for a score that does not count yet. */
export function countedPoints({ scoreGiven, scoreMaximum, gradingProgress }: SentScore, points_possible: number): number | undefined {
  if (scoreGiven === undefined || !counted.includes(gradingProgress)) return undefined;
  return scoreMaximum ? (scoreGiven / scoreMaximum) * points_possible : scoreGiven;
}
