// The content that becomes chapters: which of it the reader may see, by the policies and serialisers of each kind, and its text.

import { and, type SQL, sql } from 'drizzle-orm';
import { type CourseContext, hidesTab } from '../../contexts/course';
import { among } from '../../database/ids';
import { hasFormulas } from '../../epub/formulas';
import { bookMarkup } from '../../epub/xhtml';
import { withoutHost } from '../../html/addresses';
import { type Listing, rows } from '../../http/listing';
import { type AnySerializer, planListing } from '../../http/serializer';
import { assignment } from '../assignments/json';
import { visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { discussionTopic } from '../discussion_topics/json';
import { visibleTopics } from '../discussion_topics/policy';
import { discussion_topics } from '../discussion_topics/table';
import { page } from '../pages/json';
import { visiblePages } from '../pages/policy';
import { pages } from '../pages/table';
import { wikiOf } from '../pages/wiki';
import { quiz } from '../quizzes/json';
import { visibleQuizzes } from '../quizzes/policy';
import { quizzes } from '../quizzes/table';
import { fileOfAddress } from './addresses';
import { type Chapter, type ChapterKind, chapterKinds, chaptersAtOnce, sliced } from './plan';
import type { BookReader } from './reader';

interface Told {
  readonly id?: number;
  readonly page_id?: number;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly url?: string;
  readonly body?: string | null;
  readonly description?: string | null;
  readonly message?: string | null;
  readonly due_at?: string | null;
  readonly points_possible?: number | null;
  readonly is_announcement?: boolean;
  readonly locked_for_user?: boolean;
  readonly lock_info?: { readonly can_view?: boolean };
  readonly assignment?: Told;
}

interface ChapterSource {
  readonly serializer: AnySerializer;
  readonly table: Listing['table'];
  readonly visible: (reader: BookReader) => SQL | undefined;
  /** The tab whose absence leaves what modules show. */
  readonly tab: (told: Told) => string;
  readonly textOf: (told: Told) => string | null | undefined;
}

/** Assignments that quizzes, discussions and pages show themselves. */
const alone = sql`not exists (select 1 from json_each(assignments.submission_types) s where s.value in ('online_quiz', 'discussion_topic', 'wiki_page'))`;

const sources: Readonly<Record<ChapterKind, ChapterSource>> = {
  page: {
    serializer: page,
    table: pages,
    visible: (reader) => visiblePages(wikiOf(reader)),
    tab: () => 'pages',
    textOf: ({ body }) => body,
  },
  assignment: {
    serializer: assignment,
    table: assignments,
    visible: (reader) => and(visibleAssignments(reader.course, reader), alone),
    tab: () => 'assignments',
    textOf: ({ description }) => description,
  },
  quiz: {
    serializer: quiz,
    table: quizzes,
    visible: (reader) => visibleQuizzes(reader.course, reader),
    tab: () => 'quizzes',
    textOf: ({ description }) => description,
  },
  discussion_topic: {
    serializer: discussionTopic,
    table: discussion_topics,
    visible: (reader) => visibleTopics(reader.course, reader),
    tab: ({ is_announcement }) => (is_announcement ? 'announcements' : 'discussions'),
    textOf: ({ message }) => message,
  },
};

/** The ids of everything that the reader may see, in portions for one step each. */
export async function soughtContent(reader: BookReader) {
  const { db } = reader;
  const found = await db.perform(
    chapterKinds.map((kind) => {
      const { table, visible } = sources[kind];
      return db.build.select({ id: table.id }).from(table).where(visible(reader)).orderBy(table.id);
    }),
  );
  return chapterKinds.flatMap((of, at) => {
    const ids = (found[at] ?? []).map(({ id }) => id as number);
    return sliced(ids, chaptersAtOnce).map((some) => ({ of, ids: some }));
  });
}

export interface ChapterText extends Chapter {
  readonly points: number | null;
  /** HTML with addresses as they are stored. */
  readonly text: string;
}

/** A lock by a date that has passed leaves the text readable. */
const isOpen = ({ locked_for_user, lock_info }: Told): boolean => !locked_for_user || lock_info?.can_view === true;

/** The files that a text shows, those to which it leads, and whether it has formulas. */
export function filesInText(text: string): Required<Pick<Chapter, 'images' | 'files' | 'hasFormulas'>> {
  const found = new Set<number>();
  const linked = new Set<number>();
  const noteIn = (ids: Set<number>) => (address: string) => {
    const id = fileOfAddress(address);
    if (id !== undefined) ids.add(id);
    return undefined;
  };
  const content = bookMarkup(text, { link: noteIn(linked), image: noteIn(found), recording: noteIn(found) });
  return { images: [...found], files: [...linked], hasFormulas: hasFormulas(content) };
}

const isHidden = (course: CourseContext, tab: string): boolean => !course.readsAsAdmin && hidesTab(course, tab);

/** The chapters of these ids that the reader may see and that are open to them now, in the order of the ids. */
export async function readChapters(reader: BookReader, of: ChapterKind, ids: readonly number[]): Promise<ChapterText[]> {
  const { serializer, table, visible, tab, textOf } = sources[of];
  const plan = planListing<{ readonly id: number }>(serializer, rows(table, { where: and(among(table.id, ids), visible(reader)) }), reader);
  const found = plan.tell(await reader.db.perform(plan.statements));
  const texts = found.flatMap(({ row, json }): ChapterText[] => {
    const told = json as Told;
    const graded = told.assignment;
    if (!isOpen(told) || (graded && !isOpen(graded))) return [];
    const text = withoutHost(textOf(told) ?? '', reader.origin);
    return [
      {
        of,
        id: row.id,
        title: (told.title ?? told.name ?? '').trim() || 'Untitled',
        due_at: told.due_at ?? graded?.due_at ?? null,
        isAnnouncement: told.is_announcement === true,
        isUnlisted: isHidden(reader.course, tab(told)),
        url: of === 'page' ? (told.url ?? null) : null,
        ...filesInText(text),
        points: told.points_possible ?? graded?.points_possible ?? null,
        text,
      },
    ];
  });
  return texts.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}
