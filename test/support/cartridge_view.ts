// The content of a course as clients see it, to compare courses.

import { answered, type Client } from './client';
import type { BuiltCourse } from './ground';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

/** The content of a course as clients see it, without ids, times and tokens; links as `/courses/C/assignments/Name`. */
export async function seenContent(course: BuiltCourse, client: Client): Promise<Told> {
  const get = async (address: string): Promise<Told> => answered(await client.get(address));
  const at = `/courses/${course.id}`;
  const list = (path: string, query = '') => get(`${at}${path}?per_page=100${query}`);
  const [groups, assignments, pages, topics, news, quizzes, modules, files, folders, rubrics, banks] = await Promise.all([
    list('/assignment_groups'),
    list('/assignments'),
    list('/pages', '&include[]=body'),
    list('/discussion_topics'),
    list('/discussion_topics', '&only_announcements=true'),
    list('/quizzes'),
    list('/modules', '&include[]=items'),
    list('/files'),
    list('/folders'),
    list('/rubrics'),
    list('/question_banks').catch(() => []),
  ]);
  const named = new Map<string, string>();
  const name = (word: string, all: Told[], title: string) => {
    for (const one of all) named.set(`${word}/${one.id}`, `${word}/${one[title]}`);
  };
  name('assignments', assignments, 'name');
  name('discussion_topics', [...topics, ...news], 'title');
  name('quizzes', quizzes, 'title');
  name('modules', modules, 'name');
  name('files', files, 'display_name');
  const texts = (html: string | null) =>
    html
      ?.replaceAll(`/courses/${course.id}`, '/courses/C')
      .replace(/(assignments|discussion_topics|quizzes|modules|files)\/\d+/g, (one) => named.get(one) ?? `${one} is unknown`)
      .replace(/[?&](amp;)?verifier=[\w-]+/g, '') ?? null;
  const folderOf = new Map(folders.map((one: Told) => [one.id, one.full_name]));
  const pick = (one: Told, ...keys: string[]) => Object.fromEntries(keys.map((key) => [key, one[key]]));
  const groupOf = new Map(groups.map((one: Told) => [one.id, one.name]));
  const assignmentOf = new Map(assignments.map((one: Told) => [one.id, one.name]));
  const questions = await Promise.all(quizzes.map((one: Told) => list(`/quizzes/${one.id}/questions`)));
  const recordings = await list('/media_attachments');
  const tracks = await Promise.all(
    recordings.map((one: Told) => get(`/media_attachments/${one.attachment_id}/media_tracks?include[]=content`)),
  );
  const outcomes = await list('/outcome_group_links', '&outcome_style=full');
  const events = await get(`/calendar_events?context_codes[]=course_${course.id}&all_events=true&per_page=100`);
  const settings = await get(`${at}/settings`);
  const whole = await get(`${at}?include[]=syllabus_body&include[]=public_description`);
  const byName = (a: Told, b: Told) => JSON.stringify(a).localeCompare(JSON.stringify(b));
  const moduleNames = new Map(modules.map((one: Told) => [one.id, one.name]));
  const { image, banner_image, image_id, ...plain } = settings;
  return {
    settings: { ...plain, image: image_id ? named.get(`files/${image_id}`) : null },
    course: pick(whole, 'default_view', 'license', 'is_public', 'apply_assignment_group_weights', 'public_description', 'time_zone'),
    syllabus: texts(whole.syllabus_body),
    late_policy: await client
      .get(`${at}/late_policy`)
      .then(({ status, body }: Told) =>
        status === 200 ? { ...body.late_policy, id: 0, course_id: 0, created_at: '', updated_at: '' } : null,
      ),
    groups: groups.map((one: Told) => ({
      ...pick(one, 'name', 'group_weight'),
      rules: { ...one.rules, ...(one.rules.never_drop && { never_drop: one.rules.never_drop.map((id: number) => assignmentOf.get(id)) }) },
    })),
    assignments: assignments
      .map((one: Told) => ({
        ...pick(
          one,
          'name',
          'points_possible',
          'grading_type',
          'submission_types',
          'allowed_extensions',
          'allowed_attempts',
          'position',
          'published',
        ),
        ...pick(
          one,
          'due_at',
          'unlock_at',
          'lock_at',
          'peer_reviews',
          'automatic_peer_reviews',
          'peer_review_count',
          'omit_from_final_grade',
        ),
        ...pick(one, 'post_manually', 'anonymous_grading', 'use_rubric_for_grading'),
        description: texts(one.description),
        group: groupOf.get(one.assignment_group_id),
        rubric: one.rubric?.map(({ id, outcome_id, learning_outcome_id, ...rest }: Told) => rest),
        has_outcome: one.rubric?.some((criterion: Told) => criterion.outcome_id || criterion.learning_outcome_id),
      }))
      .sort(byName),
    rubrics: rubrics.map((one: Told) => pick(one, 'title', 'points_possible', 'free_form_criterion_comments')).sort(byName),
    pages: pages
      .map((one: Told) => ({
        ...pick(one, 'url', 'title', 'published', 'front_page', 'editing_roles', 'todo_date', 'publish_at'),
        body: texts(one.body),
      }))
      .sort(byName),
    topics: [...topics, ...news]
      .map((one: Told) => ({
        ...pick(
          one,
          'title',
          'discussion_type',
          'pinned',
          'locked',
          'published',
          'require_initial_post',
          'allow_rating',
          'is_announcement',
        ),
        ...pick(one, 'delayed_post_at', 'lock_at', 'todo_date'),
        message: texts(one.message),
        attachments: one.attachments?.map((file: Told) => file.display_name),
        points: one.assignment?.points_possible,
      }))
      .sort(byName),
    quizzes: quizzes
      .map((one: Told, at: number) => ({
        ...pick(
          one,
          'title',
          'quiz_type',
          'time_limit',
          'allowed_attempts',
          'scoring_policy',
          'points_possible',
          'question_count',
          'published',
        ),
        ...pick(one, 'due_at', 'access_code', 'shuffle_answers', 'one_question_at_a_time'),
        description: texts(one.description),
        group: groupOf.get(one.assignment_group_id),
        questions: questions[at].map((each: Told) => ({
          ...pick(each, 'question_name', 'question_type', 'points_possible', 'position'),
          text: texts(each.question_text),
          answers: each.answers.map(({ text, weight, html, comments }: Told) => ({ text, weight, html: texts(html ?? null), comments })),
        })),
      }))
      .sort(byName),
    banks: banks.map?.((one: Told) => pick(one, 'title')),
    tools: (await list('/external_tools')).map((one: Told) =>
      pick(one, 'name', 'description', 'url', 'domain', 'privacy_level', 'custom_fields', 'course_navigation'),
    ),
    feeds: (await list('/external_feeds')).map((one: Told) => pick(one, 'url', 'verbosity', 'header_match')),
    series: [...Map.groupBy(events, (one: Told) => one.series_uuid ?? '')].map(([uuid, some]) => [uuid !== '', some.length]).sort(byName),
    events: events.map((one: Told) => ({
      ...pick(one, 'title', 'start_at', 'end_at', 'all_day', 'location_name', 'rrule'),
      description: texts(one.description),
    })),
    files: files
      .map((one: Told) => ({
        ...pick(one, 'display_name', 'size', 'content-type', 'locked', 'hidden', 'lock_at', 'unlock_at'),
        folder: folderOf.get(one.folder_id),
      }))
      .sort(byName),
    captions: recordings.map((one: Told, at: number) => [
      one.title,
      tracks[at].map((each: Told) => pick(each, 'locale', 'kind', 'content')).sort(byName),
    ]),
    folders: folders.map((one: Told) => pick(one, 'full_name', 'locked', 'hidden', 'lock_at', 'unlock_at', 'files_count')).sort(byName),
    outcomes: outcomes
      .map(({ outcome, outcome_group: group }: Told) => ({
        ...pick(outcome, 'title', 'description', 'mastery_points', 'points_possible', 'ratings', 'calculation_method'),
        group: group.parent_outcome_group ? group.title : 'root',
      }))
      .sort(byName),
    modules: modules.map((one: Told) => ({
      ...pick(one, 'name', 'position', 'unlock_at', 'require_sequential_progress', 'published', 'requirement_type'),
      after: one.prerequisite_module_ids.map((id: number) => moduleNames.get(id)),
      items: one.items.map((item: Told) =>
        pick(item, 'title', 'type', 'position', 'indent', 'completion_requirement', 'external_url', 'new_tab', 'published', 'page_url'),
      ),
    })),
  };
}
