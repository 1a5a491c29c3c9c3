// Courses as Common Cartridge: exported, imported into an empty course, and compared through the API.

import { env, SELF } from 'cloudflare:test';
import { exportContent } from '@carrel/worker/domains/content_exports/job';
import { migrateContent } from '@carrel/worker/domains/content_migrations/job';
import type { Platform } from '@carrel/worker/platform';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { sendContent, upload } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const platform = env as unknown as Platform;
let teacher: Person;
let source: BuiltCourse;

const get = async (address: string): Promise<Told> => ok(await as(teacher).get(address));
const post = async (path: string, body: object): Promise<Told> => {
  const answer = await as(teacher).post(path, body);
  return ok(answer, answer.status === 201 ? 201 : 200);
};
const put = async (path: string, body: object): Promise<Told> => ok(await as(teacher).put(path, body));

async function aTarget(): Promise<BuiltCourse> {
  const course = await ground.course({ name: 'Target' });
  await ground.enroll(course, teacher, 'teacher');
  return course;
}

async function exported(params: object = {}): Promise<Told> {
  const at = `/courses/${source.id}/content_exports`;
  const made = ok(within(await as(teacher).post(at, { export_type: 'common_cartridge', ...params }), 3));
  const progress_id = Number(made.progress_url.split('/').at(-1));
  await exportContent({ job: 'content_export', progress_id }, platform);
  await expect.poll(async () => (await get(`/progress/${progress_id}`)).workflow_state, { timeout: 8000 }).toBe('completed');
  return get(`${at}/${made.id}`);
}

async function bytesOf(made: Told): Promise<Uint8Array> {
  const answer = await SELF.fetch(made.attachment.url);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

async function ended(address: string): Promise<Told> {
  for (let n = 0; n < 100; n += 1) {
    const it = await get(address);
    if (!['running', 'queued', 'pre_processing'].includes(it.workflow_state)) return it;
    await migrateContent({ job: 'content_migration', ids: [it.id] }, platform);
  }
  throw new Error('the migration does not end');
}

async function imported(target: BuiltCourse, bytes: Uint8Array, given: object = {}): Promise<Told> {
  const at = `/courses/${target.id}/content_migrations`;
  const begun = ok(
    within(
      await as(teacher).post(at, {
        migration_type: 'canvas_cartridge_importer',
        pre_attachment: { name: 'course.imscc', size: bytes.length },
        ...given,
      }),
      3,
    ),
  );
  expect((await sendContent(begun.pre_attachment, bytes as never)).status).toBe(201);
  return ended(`${at}/${begun.id}`);
}

const issuesOf = async (target: BuiltCourse, it: Told): Promise<string[]> =>
  (await get(`/courses/${target.id}/content_migrations/${it.id}/migration_issues?per_page=100`)).map(
    (one: Told) => `${one.issue_type}: ${one.description}`,
  );

/** The content of a course as clients see it, without ids, times and tokens; links as `/courses/C/assignments/Name`. */
async function seen(course: BuiltCourse): Promise<Told> {
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
    late_policy: await as(teacher)
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
        ...pick(one, 'name', 'points_possible', 'grading_type', 'submission_types', 'allowed_extensions', 'allowed_attempts', 'position', 'published'),
        ...pick(one, 'due_at', 'unlock_at', 'lock_at', 'peer_reviews', 'automatic_peer_reviews', 'peer_review_count', 'omit_from_final_grade'),
        ...pick(one, 'post_manually', 'anonymous_grading', 'use_rubric_for_grading'),
        description: texts(one.description),
        group: groupOf.get(one.assignment_group_id),
        rubric: one.rubric?.map(({ id, outcome_id, learning_outcome_id, ...rest }: Told) => rest),
        has_outcome: one.rubric?.some((criterion: Told) => criterion.outcome_id || criterion.learning_outcome_id),
      }))
      .sort(byName),
    rubrics: rubrics.map((one: Told) => pick(one, 'title', 'points_possible', 'free_form_criterion_comments')).sort(byName),
    pages: pages
      .map((one: Told) => ({ ...pick(one, 'url', 'title', 'published', 'front_page', 'editing_roles', 'todo_date'), body: texts(one.body) }))
      .sort(byName),
    topics: [...topics, ...news]
      .map((one: Told) => ({
        ...pick(one, 'title', 'discussion_type', 'pinned', 'locked', 'published', 'require_initial_post', 'allow_rating', 'is_announcement'),
        ...pick(one, 'delayed_post_at', 'lock_at', 'todo_date'),
        message: texts(one.message),
        attachments: one.attachments?.map((file: Told) => file.display_name),
        points: one.assignment?.points_possible,
      }))
      .sort(byName),
    quizzes: quizzes
      .map((one: Told, at: number) => ({
        ...pick(one, 'title', 'quiz_type', 'time_limit', 'allowed_attempts', 'scoring_policy', 'points_possible', 'question_count', 'published'),
        ...pick(one, 'due_at', 'access_code', 'shuffle_answers', 'one_question_at_a_time'),
        description: texts(one.description),
        group: groupOf.get(one.assignment_group_id),
        questions: questions[at].map((each: Told) => ({
          ...pick(each, 'question_name', 'question_type', 'points_possible', 'position'),
          text: texts(each.question_text),
          answers: each.answers.map(({ text, weight, html, comments }: Told) => ({ text, weight, html, comments })),
        })),
      }))
      .sort(byName),
    banks: banks.map?.((one: Told) => pick(one, 'title')),
    events: events.map((one: Told) => ({
      ...pick(one, 'title', 'start_at', 'end_at', 'all_day', 'location_name'),
      description: texts(one.description),
    })),
    files: files
      .map((one: Told) => ({
        ...pick(one, 'display_name', 'size', 'content-type', 'locked', 'hidden', 'lock_at', 'unlock_at'),
        folder: folderOf.get(one.folder_id),
      }))
      .sort(byName),
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
      items: one.items.map((item: Told) => pick(item, 'title', 'type', 'position', 'indent', 'completion_requirement', 'external_url', 'new_tab', 'published', 'page_url')),
    })),
  };
}

beforeAll(async () => {
  const scene = await aCourse(ground, { name: 'Chemistry: Part 1' });
  teacher = scene.teacher;
  source = scene.course;
  const at = `/courses/${source.id}`;
  const inFolder = async (name: string, folder: string) =>
    upload(teacher, `${at}/files`, { name, parent_folder_path: folder } as never, `content of ${name}`);
  const notes = await inFolder('notes & more.txt', 'Week 1/Reading');
  const picture = await inFolder('picture.png', 'Pictures');
  await put(`/files/${picture.id}`, { hidden: true });
  await post(`${at}/folders`, { name: 'Empty', parent_folder_path: 'Week 1' });
  const shut = await post(`${at}/folders`, { name: 'Locked', parent_folder_path: '' });
  await put(`/folders/${shut.id}`, { locked: true });
  const homework = await post(`${at}/assignment_groups`, { name: 'Homework', group_weight: 40 });
  const exams = await post(`${at}/assignment_groups`, { name: 'Exams', group_weight: 60 });
  const essay = await post(`${at}/assignments`, {
    assignment: {
      name: 'Essay',
      published: true,
      points_possible: 20,
      submission_types: ['online_upload', 'online_text_entry'],
      allowed_extensions: ['pdf', 'txt'],
      allowed_attempts: 2,
      assignment_group_id: homework.id,
      due_at: '2026-02-03T06:59:00Z',
      lock_at: '2026-03-01T06:59:00Z',
      peer_reviews: true,
      automatic_peer_reviews: true,
      peer_review_count: 2,
      description: `<p>Read <a href="/courses/${source.id}/files/${notes.id}/download?wrap=1">the notes</a> &amp; write.</p>`,
    },
  });
  await post(`${at}/assignments`, { assignment: { name: 'Draft', points_possible: 0, omit_from_final_grade: true, assignment_group_id: exams.id } });
  await put(`${at}/assignment_groups/${homework.id}`, { rules: { drop_lowest: 1, never_drop: [essay.id] } });
  const [root] = await get(`${at}/outcome_groups`);
  const group = await post(`${at}/outcome_groups/${root.id}/subgroups`, { title: 'Skills', description: 'What students learn' });
  const linked = await post(`${at}/outcome_groups/${group.id}/outcomes`, {
    title: 'Writes clearly',
    description: '<p>In prose</p>',
    mastery_points: 3,
    calculation_method: 'highest',
    ratings: [
      { description: 'Well', points: 5 },
      { description: 'Not yet', points: 0 },
    ],
  });
  await post(`${at}/rubrics`, {
    rubric: {
      title: 'Essay rubric',
      free_form_criterion_comments: false,
      criteria: {
        0: {
          description: 'Style',
          long_description: 'Clear & short',
          points: 12,
          ratings: { 0: { description: 'Good', points: 12 }, 1: { description: 'None', points: 0 } },
        },
        1: {
          description: 'Outcome',
          points: 5,
          learning_outcome_id: linked.outcome.id,
          ratings: { 0: { description: 'Well', points: 5 }, 1: { description: 'Not yet', points: 0 } },
        },
      },
    },
    rubric_association: { association_id: essay.id, association_type: 'Assignment', use_for_grading: true, purpose: 'grading' },
  });
  const quiz = await post(`${at}/quizzes`, {
    quiz: {
      title: 'Midterm <1>',
      quiz_type: 'assignment',
      time_limit: 30,
      allowed_attempts: 2,
      access_code: 'sesame',
      assignment_group_id: exams.id,
      due_at: '2026-02-10T06:59:00Z',
      description: `<p>About <a href="/courses/${source.id}/assignments/${essay.id}">the essay</a></p>`,
    },
  });
  await post(`${at}/quizzes/${quiz.id}/questions`, {
    question: {
      question_name: 'Water',
      question_text: '<p>H<sub>2</sub>O?</p>',
      question_type: 'multiple_choice_question',
      points_possible: 3,
      answers: [
        { answer_text: 'yes', answer_weight: 100 },
        { answer_text: 'no', answer_weight: 0, answer_comments: 'Think again' },
      ],
    },
  });
  const bank = await ground.questionBank('Course', source, { title: 'Shared questions' });
  await ground.bankQuestion(bank, { question_name: 'From the bank' });
  await post(`${at}/quizzes/${quiz.id}/groups`, {
    quiz_groups: [{ name: 'Drawn', pick_count: 1, question_points: 4, assessment_question_bank_id: bank }],
  });
  await put(`${at}/quizzes/${quiz.id}`, { quiz: { published: true } });
  await post(`${at}/quizzes`, { quiz: { title: 'Practice', quiz_type: 'practice_quiz' } });
  const debate = await post(`${at}/discussion_topics`, {
    title: 'Debate',
    published: true,
    discussion_type: 'threaded',
    require_initial_post: true,
    message: `<p>On <a href="/courses/${source.id}/quizzes/${quiz.id}">the quiz</a></p>`,
    assignment: { points_possible: 7, assignment_group_id: homework.id },
  });
  await post(`${at}/discussion_topics`, { title: 'Corner', published: true, pinned: true, todo_date: '2026-01-09T18:00:00Z' });
  await post(`${at}/discussion_topics`, { title: 'Welcome', is_announcement: true, message: '<p>Hello</p>' });
  const page = await post(`${at}/pages`, {
    wiki_page: {
      title: 'Start here',
      published: true,
      front_page: true,
      body: `<p><img src="/courses/${source.id}/files/${picture.id}/preview" alt="x"> <a href="/courses/${source.id}/discussion_topics/${debate.id}">Debate</a> <a href="/courses/${source.id}/pages/more">more</a> <a href="/courses/${source.id}/grades">grades</a></p>`,
    },
  });
  await post(`${at}/pages`, { wiki_page: { title: 'More', editing_roles: 'teachers,students', body: '<p>A &lt; B</p>' } });
  await post('/calendar_events', {
    calendar_event: {
      context_code: `course_${source.id}`,
      title: 'Trip',
      description: '<p>Bring boots</p>',
      start_at: '2026-01-05T16:00:00Z',
      end_at: '2026-01-05T17:00:00Z',
      location_name: 'Hall',
    },
  });
  const one = await post(`${at}/modules`, { module: { name: 'One', unlock_at: '2026-01-05T07:00:00Z', require_sequential_progress: true } });
  const item = (module: Told, given: object) => post(`${at}/modules/${module.id}/items`, { module_item: given });
  await item(one, { type: 'Page', page_url: page.url, completion_requirement: { type: 'must_view' } });
  await item(one, { type: 'SubHeader', title: 'Work' });
  await item(one, { type: 'Assignment', content_id: essay.id, indent: 1, completion_requirement: { type: 'min_score', min_score: 10 } });
  await item(one, { type: 'Quiz', content_id: quiz.id });
  await put(`${at}/modules/${one.id}`, { module: { published: true } });
  const two = await post(`${at}/modules`, { module: { name: 'Two', prerequisite_module_ids: [one.id] } });
  await item(two, { type: 'ExternalUrl', title: 'Site', external_url: 'https://example.edu/?a=1&b=2', new_tab: true });
  await item(two, { type: 'File', content_id: notes.id });
  await item(two, { type: 'Discussion', content_id: debate.id });
  await put(at, {
    course: {
      default_view: 'wiki',
      license: 'cc_by_sa',
      public_description: 'About chemistry',
      apply_assignment_group_weights: true,
      syllabus_body: `<p>See <a href="/courses/${source.id}/modules/${one.id}">module one</a></p>`,
    },
  });
  await put(`${at}/settings`, { hide_distribution_graphs: true, allow_student_discussion_topics: false });
  await post(`${at}/late_policy`, {
    late_policy: { late_submission_deduction_enabled: true, late_submission_deduction: 5, late_submission_interval: 'hour' },
  });
}, 60_000);

describe('a cartridge', () => {
  test('imported into an empty course gives the same course', async () => {
    const bytes = await bytesOf(await exported());
    const target = await aTarget();
    const it = await imported(target, bytes);
    expect({ state: it.workflow_state, issues: await issuesOf(target, it) }).toEqual({ state: 'completed', issues: [] });
    const [before, after] = [await seen(source), await seen(target)];
    expect(after).toEqual(before);
  }, 60_000);
});
