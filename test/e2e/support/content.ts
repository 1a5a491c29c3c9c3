// The content of the recorded library: four courses with an item in every state. Times are relative to `now`.

import type { CourseCard, ModuleView } from '@carrel/desktop/contract/course';
import type { DiscussionCard, RepliesView, ReplyView } from '@carrel/desktop/contract/discussions';
import type { FileState, FileView } from '@carrel/desktop/contract/files';
import type { NoticeView } from '@carrel/desktop/contract/notices';
import type { PlannerEntry } from '@carrel/desktop/contract/planner';
import type { Prose, Reading } from '@carrel/desktop/contract/reading';

const day = 86_400_000;
const wire = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z');

export const biology = 11;
export const books = 12;
export const algebra = 13;
/** One's own files. */
export const own = 0;
const russian = 15;

export const recordedCourses: readonly CourseCard[] = [
  {
    id: biology,
    name: 'Marine Biology',
    course_code: 'BIO 214',
    role: 'studies',
    term_name: 'Autumn 2026',
    file_count: 9,
    unread_announcements: 2,
    progress: 0.55,
    calendar_url: 'https://canvas.example.edu/feeds/calendars/course_bio.ics',
  },
  {
    id: books,
    name: 'History of the Book',
    course_code: 'HIS 108',
    role: 'studies',
    term_name: 'Autumn 2026',
    file_count: 4,
    unread_announcements: 1,
    progress: 1,
  },
  {
    id: algebra,
    name: 'Linear Algebra',
    course_code: 'MAT 201',
    role: 'studies',
    term_name: 'Autumn 2026',
    file_count: 3,
    unread_announcements: 0,
    progress: 0.2,
  },
  {
    id: russian,
    name: 'Русская литература XIX века',
    course_code: 'RUS 310',
    role: 'studies',
    term_name: 'Autumn 2026',
    file_count: 2,
    unread_announcements: 0,
    progress: null,
  },
];

export const recordedCourseName = (id: number | null) => recordedCourses.find((course) => course.id === id)?.name ?? null;

type Start = Pick<PlannerEntry, 'plannable_type' | 'plannable_id' | 'title' | 'course_id'> & Partial<PlannerEntry>;
const entry = (start: Start, date: string): PlannerEntry => ({
  points_possible: null,
  details: null,
  submitted: false,
  graded: false,
  late: false,
  missing: false,
  marked_complete: false,
  pending: false,
  course_name: recordedCourseName(start.course_id),
  ...start,
  date,
});

export function planner(now: Date): PlannerEntry[] {
  const at = (days: number, time: string) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const midnight = new Date(now.getTime() + days * day);
    return wire(new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate(), hours, minutes));
  };
  const work = (plannable_id: number, title: string, course_id: number, date: string, more: Partial<PlannerEntry> = {}) =>
    entry({ plannable_type: 'assignment', plannable_id, title, course_id, points_possible: 20, ...more }, date);
  return [
    work(301, 'Plankton field notes', biology, at(-2, '23:59'), { missing: true }),
    work(302, 'Problem set 6: eigenvalues', algebra, at(-1, '18:00')),
    work(303, 'Reading response: the codex', books, at(-4, '12:00'), { submitted: true, graded: true, late: true }),
    work(304, 'Lab report: tidal zones', biology, at(0, '23:59'), { points_possible: 40 }),
    entry(
      {
        plannable_type: 'calendar_event',
        plannable_id: 401,
        title: 'Field trip: meet at the harbour',
        course_id: biology,
        details: 'Bring boots and the blue notebook.',
      },
      at(0, '13:30'),
    ),
    entry(
      { plannable_type: 'planner_note', plannable_id: 501, title: 'Return “The Printing Revolution” to the library', course_id: null },
      at(0, '17:00'),
    ),
    entry(
      {
        plannable_type: 'wiki_page',
        plannable_id: 202,
        title: 'Before the seminar: how paper came to Europe',
        course_id: books,
        marked_complete: true,
      },
      at(0, '10:00'),
    ),
    entry(
      {
        plannable_type: 'planner_note',
        plannable_id: 502,
        title: 'Ask about the translation of ch. 4',
        course_id: russian,
        pending: true,
        details: 'Which edition has the footnotes?',
      },
      at(1, '09:00'),
    ),
    work(305, 'Problem set 7: orthogonality', algebra, at(1, '18:00')),
    entry(
      { plannable_type: 'discussion_topic', plannable_id: 603, title: 'Who was the reader of 1550?', course_id: books, points_possible: 5 },
      at(3, '20:00'),
    ),
    work(306, 'Сочинение: «Шинель»', russian, at(3, '23:59')),
    work(307, 'Poster: one species, one reef', biology, at(6, '16:00'), { submitted: true }),
    entry(
      { plannable_type: 'calendar_event', plannable_id: 402, title: 'Guest lecture: deep-sea cables', course_id: biology },
      at(6, '11:00'),
    ),
    work(308, 'Midterm preparation sheet', algebra, at(9, '18:00'), { points_possible: null }),
    entry(
      { plannable_type: 'announcement', plannable_id: 601, title: 'The reading room closes early on Friday', course_id: books },
      at(12, '08:00'),
    ),
  ];
}

const item = (id: number, type: string, title: string, more: Partial<ModuleView['items'][number]> = {}): ModuleView['items'][number] => ({
  id,
  type,
  title,
  indent: 0,
  requirement: null,
  completed: null,
  pending: false,
  open: null,
  external_url: null,
  ...more,
});
const page = (id: number) => ({ open: { kind: 'page', course_id: biology, id } }) as const;
const assignment = (id: number) => ({ open: { kind: 'assignment', course_id: biology, id } }) as const;

export const recordedModules = (course_id: number): readonly ModuleView[] =>
  course_id !== biology
    ? []
    : [
        {
          id: 1,
          name: 'Week 1: The shore',
          position: 1,
          state: 'completed',
          unlock_at: null,
          items: [
            item(1, 'Page', 'Welcome to the shore', { ...page(200), requirement: 'must_view', completed: true }),
            item(2, 'File', 'Safety at sea.pdf', { open: { kind: 'file', course_id: biology, id: 701 } }),
          ],
        },
        {
          id: 2,
          name: 'Week 2: Tides and zones',
          position: 2,
          state: 'started',
          unlock_at: null,
          items: [
            item(3, 'SubHeader', 'Read'),
            item(4, 'Page', 'Life between the tide lines', { ...page(201), requirement: 'must_view', completed: true, indent: 1 }),
            item(5, 'ExternalUrl', 'Tide tables of the harbour office', { external_url: 'https://tides.example.org/', indent: 1 }),
            item(6, 'SubHeader', 'Do'),
            item(7, 'Assignment', 'Plankton field notes', { ...assignment(301), requirement: 'must_submit', completed: false, indent: 1 }),
            item(8, 'Assignment', 'Lab report: tidal zones', { ...assignment(304), requirement: 'min_score', completed: false, indent: 1 }),
            item(9, 'Discussion', 'What did you find under the stones?', {
              open: { kind: 'discussion_topic', course_id: biology, id: 604 },
              requirement: 'must_contribute',
              completed: true,
              indent: 1,
            }),
            item(10, 'Quiz', 'Quick check: zones', { indent: 1 }),
            item(12, 'Page', 'How to keep a field notebook', { ...page(203), requirement: 'must_mark_done', completed: false, indent: 1 }),
          ],
        },
        {
          id: 3,
          name: 'Week 3: Open water',
          position: 3,
          state: 'locked',
          unlock_at: '2026-11-27T08:00:00Z',
          items: [item(11, 'Page', 'Drifters and swimmers')],
        },
        { id: 4, name: 'Reserve shelf', position: 4, state: null, unlock_at: null, items: [] },
      ];

export const recordedPages = (course_id: number) =>
  course_id === biology
    ? [
        { id: 201, title: 'Life between the tide lines', front_page: false },
        { id: 203, title: 'How to keep a field notebook', front_page: false },
        { id: 200, title: 'Welcome to the shore', front_page: true },
      ]
    : [];

type FileStart = readonly [id: number, folder: string, name: string, size: number, state: FileState, reason?: string];
const shelves: Readonly<Record<number, readonly FileStart[]>> = {
  [own]: [
    [761, '', 'Essay on the codex.md', 4_120, 'synced'],
    [762, 'Field trip', 'Harbour walk.docx', 61_440, 'edited'],
  ],
  [biology]: [
    [701, '', 'Safety at sea.pdf', 184_220, 'synced'],
    [702, 'Images', 'tide-zones.svg', 2_410, 'synced'],
    [703, 'Images', 'plankton.png', 1_204_118, 'queued'],
    [704, 'Lectures/Week 2', 'Lecture 4 – tides.pptx', 8_211_004, 'downloading'],
    [705, 'Lectures/Week 2', 'Lecture 5 – zones.pdf', 3_022_871, 'edited'],
    [706, 'Lectures/Week 2', 'notes.md', 4_882, 'conflict'],
    [707, 'Lectures/Week 3', 'Lecture 6 – open water.pdf', 2_900_112, 'locked', '2026-11-27T08:00:00Z'],
    [710, 'Lectures/Week 2', 'Solutions.pdf', 122_310, 'kept'],
    [708, 'Video', 'dive.mp4', 214_889_201, 'not wanted'],
    [709, '', 'Reading list (old).docx', 22_310, 'removed by teacher'],
  ],
  [books]: [
    [721, 'Sources', 'Η ιστορία του βιβλίου.pdf', 932_114, 'synced'],
    [722, 'Sources', 'سفرنامه.pdf', 611_020, 'synced'],
    [
      723,
      'Sources',
      '印刷の歴史.pdf',
      1_288_300,
      'failed',
      'What came was shorter than the server said (cut at 611,204 of 1,288,300 bytes).',
    ],
    [724, 'Sources', 'Readme.txt', 512, 'synced'],
  ],
  [algebra]: [
    [731, 'Problem sets', 'ps6.pdf', 88_120, 'synced'],
    [732, 'Problem sets', 'PS6.pdf', 91_002, 'synced'],
    [733, '', 'grades.xlsx', 18_440, 'synced'],
  ],
  [russian]: [
    [741, 'Тексты', 'Гоголь – Шинель.txt', 88_040, 'synced'],
    [742, 'Тексты', 'Лермонтов – Герой нашего времени.epub', 690_122, 'synced'],
    [711, 'Лаборатория', 'waves.ipynb', 14_210, 'synced'],
    [712, 'Лаборатория', 'counts.csv', 91, 'synced'],
    [713, 'Лаборатория', 'Surf at night.wav', 1_764_044, 'synced'],
    [714, 'Лаборатория', 'harbour.png', 310_204, 'synced'],
    [715, 'Лаборатория', 'damaged.pdf', 15, 'synced'],
  ],
};

export const recordedFiles = (course_id: number): FileView[] =>
  (shelves[course_id] ?? []).map(([id, folder, name, size, state, reason]) => ({
    id,
    folder,
    name,
    size,
    state,
    reason: null,
    lock: reason && state === 'locked' ? { why: 'locked', until: reason, module: null } : null,
    against: state === 'not wanted' ? 'file' : null,
    ...(state !== 'locked' && {
      reason: reason ?? (course_id === own && state === 'edited' ? 'Your changes are sent with the next sync.' : null),
    }),
    content_type: 'application/octet-stream',
    updated_at: '2026-11-12T09:14:00Z',
    has_versions: course_id === own,
  }));

export const recordedNotices = (now: Date): readonly NoticeView[] => [
  {
    id: 91,
    title: 'The main library is shut on Saturday',
    words: [
      {
        tag: 'p',
        of: ['The heating is being mended. ', { tag: 'a', href: 'https://example.edu/hours', of: ['The branch libraries'] }, ' stay open.'],
      },
    ],
    icon: 'warning',
    author: 'Adaeze Marsh',
    starts_at: wire(new Date(now.getTime() - day)),
    ends_at: wire(new Date(now.getTime() + 2 * day)),
  },
];

export const recordedAnnouncements = (now: Date) =>
  [
    {
      id: 602,
      course_id: biology,
      title: 'Field trip today: the tide is earlier than planned',
      hours: 3,
      author: 'Ingrid Holm',
      read: false,
      excerpt:
        'We meet at the harbour at half past one, not at two. Bring boots; the stones are slippery after the rain. Whoever cannot come writes to me before noon, please.',
    },
    {
      id: 605,
      course_id: biology,
      title: 'Lab reports: one more day',
      hours: 27,
      author: 'Ingrid Holm',
      read: false,
      excerpt: 'The scale in room 4 was broken yesterday, so all lab reports are due tonight instead.',
    },
    {
      id: 601,
      course_id: books,
      title: 'The reading room closes early on Friday',
      hours: 50,
      author: 'Tomás Ferreira',
      read: false,
      excerpt: 'The special collections close at 15:00. The facsimiles stay on the reserve shelf.',
    },
    {
      id: 606,
      course_id: russian,
      title: 'Семинар переносится',
      hours: 170,
      author: 'Анна Белова',
      read: true,
      excerpt: 'Следующий семинар пройдёт в аудитории 12.',
    },
  ].map(({ hours, ...rest }) => ({
    ...rest,
    course_name: recordedCourseName(rest.course_id) ?? '',
    posted_at: wire(new Date(now.getTime() - hours * 3_600_000)),
  }));

export const blankReading = {
  author: null,
  due_at: null,
  unlock_at: null,
  lock_at: null,
  points_possible: null,
  submission: null,
  student: null,
  to_grade: null,
  is_draft: false,
  locked: null,
  to_mark: null,
  comments: [],
  rubric: null,
  bookmark: null,
  attachments: [],
  file: null,
  is_announcement: false,
  earlier: null,
};

export function recordedReadings(now: Date): readonly Reading[] {
  const due = (id: number) => planner(now).find((found) => found.plannable_id === id)?.date ?? null;
  return [
    {
      ...blankReading,
      reference: { kind: 'page', course_id: biology, id: 201 },
      title: 'Life between the tide lines',
      course_name: 'Marine Biology',
      updated_at: '2026-11-12T09:14:00Z',
      author: 'Ingrid Holm',
      html: `<p>Twice a day the sea leaves, and twice a day it comes back. What lives between the two lines has to be a <em>land animal and a sea animal by turns</em>, and the shore sorts its inhabitants by how long they can bear to be out of the water.</p>
<h2>Four zones</h2><figure><img src="/files/702" alt="The four zones of a rocky shore, from the splash zone down to the kelp"><figcaption>The zones of a rocky shore. Drawn after the harbour at low tide.</figcaption></figure>
<p>Walk down from the grass and you cross them one after another:</p><ol><li><strong>The splash zone</strong>, wet by spray only: lichens, periwinkles.</li><li><strong>The high zone</strong>, covered at high tide: barnacles, limpets.</li><li><strong>The middle zone</strong>, covered half of the day: mussels, anemones, green crabs.</li><li><strong>The low zone</strong>, bare only at spring tides: kelp, sea stars, urchins.</li></ol>
<blockquote><p>The upper limit of a species is set by the air, the lower one by its neighbours.</p></blockquote>
<table><thead><tr><th>Zone</th><th>Hours out of the water</th><th>Who lives there</th></tr></thead><tbody><tr><td>High</td><td>9</td><td>Barnacles</td></tr><tr><td>Middle</td><td>6</td><td>Mussels</td></tr><tr><td>Low</td><td>1</td><td>Kelp</td></tr></tbody></table>
<p>Read <a href="#/read/page/${biology}/203">how to keep a field notebook</a> before the trip, and have <a href="/files/701">Safety at sea</a> with you. The <a href="https://tides.example.org/">harbour office</a> publishes the tides.</p><script>document.body.dataset.ran = 'yes'; parent.document.title = 'taken';</script><img src="https://tracker.example.org/pixel.gif" alt="">`,
    },
    {
      ...blankReading,
      reference: { kind: 'page', course_id: biology, id: 203 },
      title: 'How to keep a field notebook',
      course_name: 'Marine Biology',
      updated_at: '2026-10-02T10:00:00Z',
      html: '<p>Write on the right-hand page only. The left-hand page is for what you understand later.</p>',
    },
    {
      ...blankReading,
      reference: { kind: 'assignment', course_id: biology, id: 304 },
      title: 'Lab report: tidal zones',
      course_name: 'Marine Biology',
      updated_at: '2026-11-18T16:30:00Z',
      due_at: due(304),
      lock_at: wire(new Date(now.getTime() + 5 * day)),
      points_possible: 40,
      submission: { workflow_state: 'submitted', submitted_at: wire(new Date(now.getTime() - 2 * 3_600_000)), grade: null, score: null },
      html: '<p>Report what you counted in your square, zone by zone. Two pages are enough.</p><ul><li>A drawing of the square, with a scale.</li><li>The counts in a table.</li><li>One thing that surprised you.</li></ul>',
    },
    {
      ...blankReading,
      reference: { kind: 'assignment', course_id: biology, id: 301 },
      title: 'Plankton field notes',
      course_name: 'Marine Biology',
      updated_at: '2026-11-12T16:30:00Z',
      due_at: due(301),
      points_possible: 20,
      html: '<p>What was in the net, and when.</p>',
      comments: [
        {
          id: 1,
          author: 'Ingrid Holm',
          mine: false,
          at: '2026-11-19T12:00:00Z',
          words: said('The drawing is lovely; where is the scale?'),
        },
        { id: 2, author: 'Noor Vermeer', mine: true, at: '2026-11-19T15:00:00Z', words: said('It comes with the next page.') },
      ],
      rubric: {
        points: 20,
        earned: 12,
        criteria: [
          {
            id: 'a',
            title: 'Observation',
            description: said('Dates, times, and what was seen.'),
            points: 12,
            earned: 12,
            comment: said('Patient work.'),
            ratings: [
              { id: '1', title: 'Complete', description: said('Every tide is there.'), points: 12, is_given: true },
              { id: '2', title: 'In part', description: [], points: 6, is_given: false },
            ],
          },
          { id: 'b', title: 'Drawing', description: [], points: 8, earned: null, comment: [], ratings: [] },
        ],
      },
    },
    {
      ...blankReading,
      reference: { kind: 'syllabus', course_id: biology, id: biology },
      title: 'Marine Biology',
      course_name: 'Marine Biology',
      updated_at: null,
      html: '<h2>What we do</h2><p>Ten weeks between the tide lines, with one field trip and two reports.</p>',
    },
    {
      ...blankReading,
      reference: { kind: 'discussion_topic', course_id: biology, id: 602 },
      title: 'Field trip today: the tide is earlier than planned',
      course_name: 'Marine Biology',
      author: 'Ingrid Holm',
      updated_at: wire(new Date(now.getTime() - 3 * 3_600_000)),
      html: '<p>We meet at the harbour at half past one, not at two.</p>',
      is_announcement: true,
      attachments: [
        { id: 702, name: 'tide-zones.svg', size: 2_410, here: true, url: null },
        {
          id: 799,
          name: 'Timetable of the harbour bus.pdf',
          size: 88_120,
          here: false,
          url: 'https://canvas.example.edu/files/799/download',
        },
      ],
    },
    {
      ...blankReading,
      reference: { kind: 'discussion_topic', course_id: biology, id: 604 },
      title: 'What did you find under the stones?',
      course_name: 'Marine Biology',
      author: 'Ingrid Holm',
      updated_at: wire(new Date(now.getTime() - 4 * day)),
      html: '<p>Turn one stone, look for a minute, and put it back as it was. What did you find? Name the zone.</p>',
    },
    {
      ...blankReading,
      reference: { kind: 'page', course_id: biology, id: 200 },
      title: 'Welcome to the shore',
      course_name: 'Marine Biology',
      updated_at: null,
      locked: 'This page opens on Fri 27 Nov at 08:00.',
      html: '',
    },
  ];
}

export function discussions(now: Date, course_id: number): DiscussionCard[] {
  if (course_id !== biology) return [];
  const ago = (hours: number) => wire(new Date(now.getTime() - hours * 3_600_000));
  const card = { author: 'Ingrid Holm', read: true, unread: 0, pinned: false, locked: false, graded: false };
  return [
    {
      ...card,
      id: 604,
      title: 'What did you find under the stones?',
      at: ago(96),
      last_reply_at: ago(2),
      replies: 5,
      unread: 2,
      pinned: true,
      excerpt: 'Turn one stone, look for a minute, and put it back as it was. What did you find? Name the zone.',
    },
    {
      ...card,
      id: 607,
      title: 'Is a tide pool a habitat or an accident?',
      at: ago(300),
      last_reply_at: null,
      replies: 0,
      graded: true,
      excerpt: 'Take a side in two sentences. You will read the others once you have written yours.',
    },
    { ...card, id: 608, title: 'Introduce yourself', at: ago(900), last_reply_at: ago(700), replies: 31, locked: true, excerpt: '' },
  ];
}

const said = (...of: Prose): Prose => [{ tag: 'p', of }];

export function recordedDiscussion(now: Date, id: number): RepliesView | null {
  const ago = (hours: number) => wire(new Date(now.getTime() - hours * 3_600_000));
  const reply = (given: Partial<ReplyView> & Pick<ReplyView, 'id' | 'author' | 'at'>): ReplyView => ({
    mine: false,
    edited: false,
    deleted: false,
    unread: false,
    words: [],
    attachments: [],
    unsent: null,
    replies: [],
    ...given,
  });
  const none = { replies: [], count: 0, unread: 0, can_reply: true, can_attach: true, unfinished: [], write_first: false, missing: false };
  if (id === 602) return { ...none, can_reply: false };
  if (id === 607) return { ...none, write_first: true };
  if (id !== 604) return null;
  return {
    ...none,
    count: 5,
    unread: 2,
    replies: [
      reply({
        id: 1,
        author: 'Jonas Lindqvist',
        at: ago(80),
        edited: true,
        words: said(
          'A shore crab in its ',
          { tag: 'em', of: ['green'] },
          ' coat, middle zone. It held the stone like a roof. I drew it in ',
          { tag: 'a', href: `#/read/page/${biology}/203`, of: ['the notebook'] },
          '.',
        ),
        attachments: [{ id: 702, name: 'tide-zones.svg', size: 2_410, here: true, url: null }],
        replies: [
          reply({
            id: 2,
            author: 'Amara Okafor',
            at: ago(30),
            words: said('Was it alone? Ours came in pairs.'),
            replies: [
              reply({
                id: 3,
                author: 'Jonas Lindqvist',
                at: ago(2),
                unread: true,
                words: said('Alone, as far as I could see. The tide was coming.'),
              }),
            ],
          }),
        ],
      }),
      reply({ id: 4, author: 'Mei Tanaka', at: ago(50), deleted: true }),
      reply({
        id: 5,
        author: 'Noor Vermeer',
        mine: true,
        at: ago(20),
        words: [
          ...said('Three things, all in the low zone:'),
          {
            tag: 'ul',
            of: [
              { tag: 'li', of: ['a brittle star'] },
              { tag: 'li', of: ['two limpets'] },
              { tag: 'li', of: ['my own glove'] },
            ],
          },
        ],
        replies: [reply({ id: 6, author: 'Ingrid Holm', at: ago(5), unread: true, words: said('The glove does not count.') })],
      }),
    ],
  };
}

/** A course with a scanned book. */
export const scans = (howMany: number): FileView[] =>
  Array.from({ length: howMany }, (_, at) => ({
    id: 10_000 + at,
    folder: `Scans/Box ${Math.floor(at / 50) + 1}`,
    name: `Scan ${at + 1}.pdf`,
    size: 100_000 + at,
    state: 'synced',
    reason: null,
    lock: null,
    against: null,
    content_type: 'application/pdf',
    updated_at: '2026-11-12T09:14:00Z',
    has_versions: false,
  }));
