// A course with content of every kind that cartridges have, made through the API.

import { answered, type Client, type Fetch } from './client';
import type { BuiltCourse, Ground } from './ground';
import { uploadInThreeSteps } from './three_steps';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

/** A bank of questions, for which the API has no endpoint. @returns its id */
export async function bankForCartridge(ground: Ground, source: BuiltCourse): Promise<number> {
  const bank = await ground.questionBank('Course', source, { title: 'Shared questions' });
  await ground.bankQuestion(bank, { question_name: 'From the bank' });
  return bank;
}

interface Furnishing {
  /** Of a teacher of the course. */
  readonly client: Client;
  readonly fetch: Fetch;
  readonly bank: number;
}

export async function furnishForCartridge(source: BuiltCourse, { client, fetch, bank }: Furnishing): Promise<void> {
  const get = async (address: string): Promise<Told> => answered(await client.get(address));
  const post = async (path: string, body: object): Promise<Told> => answered(await client.post(path, body));
  const put = async (path: string, body: object): Promise<Told> => answered(await client.put(path, body));
  const at = `/courses/${source.id}`;
  const inFolder = async (name: string, parent_folder_path: string) =>
    uploadInThreeSteps(client, fetch, `${at}/files`, { name, parent_folder_path, bytes: new TextEncoder().encode(`content of ${name}`) });
  const notes = await inFolder('notes & more.txt', 'Week 1/Reading');
  const picture = await inFolder('picture.png', 'Pictures');
  await put(`/files/${picture.id}`, { hidden: true });
  const film = await inFolder('film.mp4', 'Week 1');
  await client.put(
    `/media_attachments/${film.id}/media_tracks`,
    [
      { locale: 'en', content: 'WEBVTT\n\n00:01.000 --> 00:02.000\nAcids & <i>bases</i>' },
      { locale: 'pt-BR', kind: 'captions', content: '1\n00:00:01,000 --> 00:00:02,000\nÁcidos\n' },
    ],
    { json: true },
  );
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
  await post(`${at}/assignments`, {
    assignment: { name: 'Draft', points_possible: 0, omit_from_final_grade: true, assignment_group_id: exams.id },
  });
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
        {
          answer_text: 'no',
          answer_html: `<img src="/courses/${source.id}/files/${picture.id}/preview">`,
          answer_weight: 0,
          answer_comments: 'Think again',
        },
      ],
    },
  });
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
  await post(`${at}/pages`, {
    wiki_page: { title: 'More', editing_roles: 'teachers,students', publish_at: '2099-01-01T00:00:00Z', body: '<p>A &lt; B</p>' },
  });
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
  await post('/calendar_events', {
    calendar_event: {
      context_code: `course_${source.id}`,
      title: 'Lab',
      start_at: '2026-01-06T16:00:00Z',
      end_at: '2026-01-06T17:00:00Z',
      rrule: 'FREQ=WEEKLY;INTERVAL=1;COUNT=3',
    },
  });
  const one = await post(`${at}/modules`, {
    module: { name: 'One', unlock_at: '2026-01-05T07:00:00Z', require_sequential_progress: true },
  });
  const item = (module: Told, given: object) => post(`${at}/modules/${module.id}/items`, { module_item: given });
  await item(one, { type: 'Page', page_url: page.url, completion_requirement: { type: 'must_view' } });
  await item(one, { type: 'SubHeader', title: 'Work' });
  await item(one, { type: 'Assignment', content_id: essay.id, indent: 1, completion_requirement: { type: 'min_score', min_score: 10 } });
  await item(one, { type: 'Quiz', content_id: quiz.id });
  await put(`${at}/modules/${one.id}`, { module: { published: true } });
  const two = await post(`${at}/modules`, { module: { name: 'Two', prerequisite_module_ids: [one.id] } });
  await item(two, { type: 'ExternalUrl', title: 'Site', external_url: 'https://example.edu/?a=1&b=2', new_tab: true });
  await item(two, { type: 'File', content_id: notes.id });
  const tool = await post(`${at}/external_tools`, {
    name: 'Simulator',
    description: 'Mixes & heats',
    url: 'https://tool.example.edu/launch?a=1&b=2',
    consumer_key: 'key',
    shared_secret: 'secret',
    privacy_level: 'name_only',
    custom_fields: { level: '3' },
    course_navigation: { enabled: true, text: 'Simulate', visibility: 'admins' },
  });
  await item(two, { type: 'ExternalTool', title: 'Simulate', content_id: tool.id, external_url: tool.url });
  await post(`${at}/external_feeds`, { url: 'https://news.example.edu/feed.xml', verbosity: 'link_only', header_match: 'exam' });
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
}
