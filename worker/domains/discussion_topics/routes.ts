// Discussion topics: every endpoint, in the order of the API reference. Entries have a route table of their own.

import { bool, commaList, idField, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, unauthorized } from '../../http/problem';
import { judged, list, listWithin, one, type Reply, rawResponse, write } from '../../http/reply';
import { newestAssignment } from '../assignments/writes';
import { attachment } from './attachments';
import { fullViewParams, viewTopic } from './entries/full_view';
import { reader, selectTopic, topicId } from './gate';
import { beginGrading, closedGrading, gradingAfter, gradingBefore, gradingChanges, setsGrading } from './graded_assignment';
import { checkTopicGroupCategory, childrenOf, selectSet } from './group_topics/children';
import { checkSections, givenOf, sectionsGiven, selectSections, setGiven, topicFields } from './input';
import { discussionTopic, topicIncludes } from './json';
import { topicsOf } from './listing';
import { asCourse, asGiven, forumPlace, inForum } from './place';
import { type Forum, forumOf, mayDelete, mayUpdate } from './rights';
import { opened, topicChanges } from './states';
import { discussion_topics } from './table';
import { changeTopic, makeTopic, newestTopic, removeTopic } from './writes';

export const about = {
  title: 'Discussion topics',
  description: 'Discussions and announcements with their entries, replies and read marks.',
};

const include = topicIncludes;
const read = ['read_forum', 'read_announcements'] as const;

/** The requested position; only moderators may set one. */
const placeOf = (params: { position_after?: number | null; position_at?: number | null }, { moderates }: Pick<Forum, 'moderates'>) =>
  moderates ? { after: params.position_after ?? undefined, at: params.position_at ?? undefined } : {};

/** The page without topics that a module locks for the caller; short pages are allowed. */
const withoutLocked = (page: readonly unknown[]) =>
  page.filter((topic) => !(topic as { lock_info?: { context_module?: unknown } }).lock_info?.context_module);

/** Whether anyone has posted, in the topic or in one of its group topics. */
const hasEntries = (topic: Parameters<typeof childrenOf>[0] & { readonly entry_count: number }): boolean =>
  topic.entry_count > 0 || childrenOf(topic).some(({ entries }) => entries > 0);

/** Redirects to the topic of this group in a group discussion. */
async function leadToChild(call: Call, root: number): Promise<Reply> {
  const { db, group, origin } = call;
  const [[child]] = await db.perform([
    db.build
      .select({ id: discussion_topics.id })
      .from(discussion_topics)
      .where(
        sql`root_topic_id = ${root} and context_type = 'Group' and context_id = ${group?.id ?? 0} and discussion_topics.workflow_state <> 'deleted'`,
      ),
  ]);
  const address = `${origin}/api/v1/groups/${group?.id}/discussion_topics/${found(child).id}`;
  return rawResponse(new Response(null, { status: 302, headers: { Location: address } }));
}

/** Contexts that have forums. */
const places = ['/courses/:course_id', '/groups/:group_id'] as const;

export const discussionTopicRoutes = places.flatMap((place) => {
  const topics = `${place}/discussion_topics` as const;
  const topic = `${topics}/:topic_id` as const;
  const itself = (id: number) => rows(discussion_topics, { where: sql`discussion_topics.id = ${id}` });

  return [
    get(
      topics,
      {
        can: read,
        params: {
          order_by: optional(text),
          scope: optional(commaList(text)),
          only_announcements: optional(bool),
          filter_by: optional(text),
          search_term: searchTerm,
          exclude_context_module_locked_topics: optional(bool),
          plain_messages: optional(bool),
          exclude_assignment_descriptions: optional(bool),
          root_discussion_topic_id: optional(idField('discussion_topic')),
        },
        include,
        returns: [discussionTopic],
        summary: 'List discussion topics',
      },
      async (call) => {
        const { params } = call;
        if (call.group && params.root_discussion_topic_id !== undefined) return leadToChild(call, params.root_discussion_topic_id);
        const listing = topicsOf(forumPlace(call), call, params);
        return params.exclude_context_module_locked_topics ? listWithin(listing, withoutLocked) : list(listing);
      },
    ),

    post(
      topics,
      { can: [...read, 'create_forum'], params: topicFields, include, returns: discussionTopic, summary: 'Create a discussion topic' },
      async (asked) => {
        const call = inForum(asked);
        const { course, db } = call;
        const params = asGiven(asked.params, course);
        const forum = forumOf(course, call.me, call.institution);
        const is_announcement = params.is_announcement === true && forum.announces;
        if (!is_announcement && !forum.creates) throw unauthorized();
        const isGraded = !is_announcement && setsGrading(params.assignment);
        const values = opened(givenOf(params, call), forum, { is_announcement, isGraded }, call.now);
        const wanted = sectionsGiven(params.specific_sections);
        const file = attachment(call, params.attachment);
        const set = forum.moderates ? setGiven(params) : undefined;
        const [there, sets, ...forFile] = await db.perform([
          selectSections(db, course, wanted ?? []),
          selectSet(call, course, set),
          ...file.statements,
        ]);
        checkSections(wanted, there, course, isGraded);
        checkTopicGroupCategory(set, sets, { is_announcement, isUsed: false });
        const attached = await file.receive(forFile, forum.attaches);
        const assignment =
          isGraded && params.assignment
            ? await beginGrading(asCourse(call), params.assignment, {
                title: values.title,
                message: values.message ?? null,
                workflow_state: values.workflow_state,
                group_category_id: values.group_category_id ?? null,
              })
            : [];
        return write(
          [
            ...(attached?.statements ?? []),
            ...assignment,
            ...makeTopic(
              call,
              {
                ...values,
                attachment_id: attached?.id,
                ...(isGraded && { assignment_id: newestAssignment }),
              },
              placeOf(params, forum),
            ),
          ],
          one(rows(discussion_topics, { where: sql`discussion_topics.id = ${newestTopic}` })),
        );
      },
    ),

    get(topic, { can: read, include, returns: discussionTopic, summary: 'Get a discussion topic' }, (asked) => {
      const call = inForum(asked);
      const id = topicId(call.path);
      return judged(selectTopic(call, id), (rows) => void reader(rows, call), one(itself(id)));
    }),

    put(
      topic,
      { can: read, params: topicFields, include, returns: discussionTopic, summary: 'Update a discussion topic' },
      async (asked) => {
        const call = inForum(asked);
        const { db, course } = call;
        const params = asGiven(asked.params, course);
        const id = topicId(call.path);
        const wanted = sectionsGiven(params.specific_sections);
        const grading = gradingBefore(asCourse(call), id, params.assignment);
        const file = attachment(call, params.attachment);
        const set = setGiven(params);
        const [topicRows, there, sets, blob, used, ...before] = await db.perform([
          selectTopic(call, id),
          selectSections(db, course, wanted ?? []),
          selectSet(call, course, set),
          ...file.statements,
          ...grading.statements,
        ]);
        const { topic: topicBefore, forum, isUsed } = reader(topicRows, call);
        if (!mayUpdate(topicBefore, forum)) throw unauthorized();
        const gradingThen = grading.read(before);
        const { assignment: graded, history } = gradingThen;
        const gradingNow = gradingAfter(params.assignment, topicBefore, graded);
        const { isGraded } = gradingNow;
        checkSections(wanted, there, course, isGraded);
        if (forum.moderates && set !== topicBefore.group_category_id)
          checkTopicGroupCategory(set, sets, {
            is_announcement: topicBefore.is_announcement,
            isUsed: hasEntries(topicBefore) || history.has_submissions,
          });
        const values = topicChanges(
          topicBefore,
          givenOf(params, call),
          forum,
          { isGraded, due_at: graded?.due_at ?? null, isUsed: history.has_submissions || isUsed },
          call.now,
        );
        const after = { ...topicBefore, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
        const attached = await file.receive([blob, used], forum.attaches);
        const changes = await gradingChanges(asCourse(call), params.assignment, gradingNow, gradingThen, after);
        return write(
          [
            ...(attached?.statements ?? []),
            ...changes.first,
            ...changeTopic(
              call,
              topicBefore,
              {
                ...values,
                ...(params.remove_attachment !== undefined && { attachment_id: null }),
                ...(attached && { attachment_id: attached.id }),
                ...changes.set,
              },
              placeOf(params, forum),
            ),
            ...changes.last,
          ],
          one(itself(id)),
        );
      },
    ),

    del(topic, { can: read, returns: discussionTopic, summary: 'Delete a discussion topic' }, async (asked) => {
      const call = inForum(asked);
      const id = topicId(call.path);
      const [topicRows, closed] = await call.db.perform([selectTopic(call, id), closedGrading(call, id)]);
      const { topic: gone, forum } = reader(topicRows, call);
      if (!mayDelete(gone, forum) || (closed[0]?.is_closed && !asked.course?.isAdmin)) throw unauthorized();
      return write(removeTopic(call, gone), one(itself(id), { deleted_at: call.now, workflow_state: 'deleted' }));
    }),

    get(`${topic}/view`, { can: read, ...fullViewParams, summary: 'Get the full discussion' }, (call) =>
      viewTopic(inForum(call), topicId(call.path), call.params),
    ),
  ];
});
