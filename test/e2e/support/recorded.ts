// More of the recorded library: search results, conversations and grades.

import type { ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type { ConversationCard, ConversationReading } from '@carrel/desktop/contract/conversations';
import type { GradesView } from '@carrel/desktop/contract/grades';
import { foundKinds, type Hit } from '@carrel/desktop/contract/search';
import { proseOf } from '@carrel/desktop/engine/text/prose';
import { biology, recordedReadings } from './content.ts';

const day = 86_400_000;
const wire = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z');
const hoursAgo = (now: Date, hours: number) => wire(new Date(now.getTime() - hours * 3_600_000));

/** Like the engine: matches titles and texts by word prefixes. */
export function search(now: Date, { text, course_id, kind }: ChannelParams<'search.find'>): ChannelResult<'search.find'> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = recordedReadings(now).flatMap(({ reference, title, html, updated_at, course_name, is_announcement }): Hit[] => {
    const body = html
      .replaceAll(/<script.*?<\/script>|<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (reference.kind === 'syllabus') return [];
    const all = `${title} ${body}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    if (words.length === 0 || !words.every((word) => all.some((one) => one.startsWith(word)))) return [];
    const mark = (given: string): Hit['title'] =>
      given
        .split(new RegExp(`(\\b${words[0]}\\p{L}*)`, 'iu'))
        .map((part, at) => [part, at % 2 === 1] as const)
        .filter(([part]) => part !== '');
    const found = reference.kind === 'discussion_topic' ? (is_announcement ? 'announcement' : 'discussion') : reference.kind;
    const at = Math.max(0, body.toLowerCase().indexOf(words[0] ?? '') - 40);
    const excerpt = mark(`${at > 0 ? '…' : ''}${body.slice(at, at + 140)}…`);
    return [
      {
        kind: found,
        page: null,
        id: reference.id,
        course_id: reference.course_id,
        course_name,
        at: updated_at,
        title: mark(title),
        excerpt,
      },
    ];
  });
  if (words.length === 1 && 'whistle'.startsWith(words[0] ?? '-'))
    hits.push({
      kind: 'file',
      id: 701,
      page: 3,
      course_id: biology,
      course_name: 'Marine Biology',
      at: '2026-11-12T09:14:00Z',
      title: [['Safety at sea.pdf', false]],
      excerpt: [
        ['…The ', false],
        ['whistle', true],
        [' hangs at the left strap (rule 3).', false],
      ],
    });
  const here = hits.filter((hit) => course_id === null || hit.course_id === course_id);
  const kinds = Object.fromEntries(foundKinds.map((name) => [name, here.filter((hit) => hit.kind === name).length]));
  return {
    unread: 0,
    kinds: kinds as ChannelResult<'search.find'>['kinds'],
    found: here.filter((hit) => kind === null || hit.kind === kind),
  };
}

export function recordedConversations(now: Date): ConversationCard[] {
  const card = { messages: 1, unread: false, unanswered: false, starred: false, archived: false, unsent: false, course_name: null };
  return [
    {
      ...card,
      id: 801,
      subject: 'The square at the harbour',
      people: ['Jonas Lindqvist', 'Amara Okafor'],
      course_name: 'Marine Biology',
      at: hoursAgo(now, 1),
      excerpt: 'Shall we count ours together? I have the frame.',
      messages: 3,
      unread: true,
    },
    {
      ...card,
      id: 802,
      subject: null,
      people: ['Tomás Ferreira'],
      course_name: 'History of the Book',
      at: hoursAgo(now, 60),
      excerpt: 'You may use the facsimile until Thursday.',
      starred: true,
    },
    {
      ...card,
      id: 803,
      subject: 'Study group',
      people: ['Mei Tanaka', 'Jonas Lindqvist', 'Amara Okafor', 'Ben Adler', 'Ida Sand'],
      at: hoursAgo(now, 400),
      excerpt: 'Wednesdays, then.',
      messages: 12,
    },
  ];
}

export function recordedConversation(now: Date, id: number): ConversationReading | null {
  const letter = recordedConversations(now).find((one) => one.id === id);
  if (!letter) return null;
  const { subject, people, course_name, unread, starred, archived } = letter;
  const message = { mine: false, generated: false, attachments: [], unsent: null };
  const attachments = [{ id: 702, name: 'tide-zones.svg', size: 2_410, here: true, url: null }];
  const messages: ConversationReading['messages'] =
    id === 801
      ? [
          {
            ...message,
            id: 1,
            author: 'Noor Vermeer',
            mine: true,
            at: hoursAgo(now, 20),
            words: proseOf('Who has a square metre frame?\n\nMine is broken.'),
          },
          {
            ...message,
            id: 2,
            author: null,
            generated: true,
            at: hoursAgo(now, 19),
            words: proseOf('Amara Okafor was added to the conversation.'),
          },
          {
            ...message,
            id: 3,
            author: 'Jonas Lindqvist',
            at: hoursAgo(now, 1),
            words: proseOf('Shall we count ours together? I have the frame: \\(1\\,\\mathrm{m}^2\\).'),
            attachments,
          },
        ]
      : [{ ...message, id: 4, author: people[0] ?? null, at: letter.at ?? '', words: proseOf(letter.excerpt) }];
  return { subject, people, course_name, unread, starred, archived, can_reply: id !== 803, missing: false, messages };
}

export function recordedGrades(now: Date, course_id: number): GradesView {
  if (course_id !== biology)
    return { student: null, is_hidden: false, score: null, grade: null, is_weighted: false, computed: null, periods: [], groups: [] };
  const due = (days: number) => wire(new Date(now.getTime() + days * day));
  const row = (id: number, title: string, score: number | null, points_possible: number, more = {}) => ({
    id,
    open: { kind: 'assignment' as const, course_id, id },
    title,
    due_at: due(id - 305),
    score,
    is_assumed: false,
    grade: score === null ? null : String(score),
    points_possible,
    late: false,
    missing: false,
    aside: score === null ? ('not graded yet' as const) : null,
    ...more,
  });
  return {
    student: null,
    is_hidden: false,
    score: 86.25,
    grade: 'B+',
    is_weighted: true,
    computed: null,
    periods: [],
    groups: [
      {
        id: 1,
        name: 'Field work',
        weight: 60,
        drop_lowest: 1,
        drop_highest: 0,
        points: 52,
        points_possible: 60,
        rows: [
          row(301, 'Plankton field notes', null, 20, { missing: true }),
          row(299, 'Sand, by the spoon', 17, 20, { late: true }),
          row(298, 'A walk along the wrack line', 35, 40),
          row(304, 'Lab report: tidal zones', null, 40),
        ],
      },
      {
        id: 2,
        name: 'Talking and writing',
        weight: 40,
        drop_lowest: 0,
        drop_highest: 0,
        points: 9,
        points_possible: 10,
        rows: [
          row(296, 'What did you find under the stones?', 9, 10, { open: { kind: 'discussion_topic', course_id, id: 604 }, grade: 'A-' }),
          row(297, 'Practice quiz', 4, 5, { aside: 'not in the total' }),
          row(295, 'Introduce yourself', null, 5, { aside: 'excused', due_at: null }),
        ],
      },
    ],
  };
}
