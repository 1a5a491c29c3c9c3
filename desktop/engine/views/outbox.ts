// The outbox as the user sees it: all unsent changes, in the order in which they are sent.

import type { GradeEntry } from '../../contract/gradebook';
import type { OutboxItem } from '../../contract/work';
import { t } from '../../language/texts';
import { place } from '../model/places';
import { type Intent, isWord, sayingOf, workFilesOf } from '../outbox/intents';
import type { Outbox } from '../outbox/outbox';
import type { Cache } from '../store/cache';
import { plainText } from '../text/plain_text';

interface Here {
  readonly cache: Cache;
  readonly outbox: Outbox;
}

const longestExcerpt = 140;

export function outboxItems({ cache, outbox }: Here): OutboxItem[] {
  const rows = outbox.pending();
  return rows.map((intent, at) => {
    const { id, verb, entity, state, attempts, reason, hold, created_at } = intent;
    const course = courseOf(intent);
    return {
      id,
      verb,
      is_word: isWord(intent),
      title: sayingOf(intent, cache).where,
      excerpt: excerptOf(intent),
      files: workFilesOf(intent).map(({ name }) => name),
      course_id: course,
      course_name: course === null ? null : (place(cache, course)?.name ?? null),
      since: created_at,
      refused: state === 'parked' ? (reason ?? '') : null,
      hold,
      may_take_back: attempts === 0 || state === 'parked',
      may_rise: at > 0 && rows[at - 1]?.entity !== entity,
      may_sink: at < rows.length - 1 && rows[at + 1]?.entity !== entity,
      ...opening(intent),
    };
  });
}

function courseOf({ verb, body }: Intent): number | null {
  return verb === 'delete' || body === null || !('course_id' in body) ? null : body.course_id;
}

function excerptOf(intent: Intent): string | null {
  if (intent.verb === 'hand in' && intent.body.type === 'online_upload') return null;
  if (intent.verb === 'hand in' && intent.body.type === 'online_url') return intent.body.url;
  if (intent.verb === 'author') return shortened(plainText(intent.body.text.html));
  const text =
    intent.verb === 'grade'
      ? excerptOfGrade(intent.body.entry)
      : intent.verb === 'reply' ||
          intent.verb === 'write' ||
          intent.verb === 'compose' ||
          intent.verb === 'announce' ||
          intent.verb === 'hand in'
        ? intent.body.text
        : intent.verb === 'create' || intent.verb === 'update'
          ? intent.body.details
          : null;
  return shortened(text);
}

function shortened(text: string | null | undefined): string | null {
  const flat = text?.replaceAll(/\s+/g, ' ').trim();
  return flat ? (flat.length > longestExcerpt ? `${flat.slice(0, longestExcerpt)}…` : flat) : null;
}

function excerptOfGrade({ grade, excused, comment }: GradeEntry): string {
  const given = excused
    ? t('outbox.excerptExcused')
    : grade === undefined
      ? ''
      : grade === null
        ? t('outbox.excerptNoGrade')
        : t('outbox.excerptGrade', { grade });
  return [given, comment].filter(Boolean).join(' · ');
}

type Opening = Pick<OutboxItem, 'open' | 'letter' | 'authored'>;
const opensNothing: Opening = { open: null, letter: null };

function opening({ verb, body }: Intent): Opening {
  if (verb === 'author') {
    const { kind, course_id, id } = body;
    return { ...opensNothing, authored: { kind, course_id, id } };
  }
  if (verb === 'hand in') return { ...opensNothing, open: { kind: 'assignment', course_id: body.course_id, id: body.assignment_id } };
  if (verb === 'reply' || verb === 'read' || verb === 'read entries')
    return { ...opensNothing, open: { kind: 'discussion_topic', course_id: body.course_id, id: body.topic_id } };
  const isOfLetter = verb === 'write' || verb === 'open' || verb === 'star' || verb === 'archive';
  return { ...opensNothing, letter: isOfLetter ? body.conversation_id : null };
}
