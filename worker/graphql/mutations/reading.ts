// Mutations of what is read, of stickers, what-if scores and notifications.

import type { GraphItem } from '../graph';
import { channelsOf } from '../people/notifications';
import { asJson, fewInputIds, inputId, inputIdOrNone, type Mutation, missing, refuseContent } from './mutation';
import { readSubmission, submissionPlace } from './submission_place';

/** `Announcement created` as REST names a category: `announcement_created`. */
const categoryName = (given: unknown): string => String(given).trim().toLowerCase().replace(/\s+/g, '_');

export const readingMutations: Readonly<Record<string, Mutation>> = {
  markSubmissionCommentsRead: {
    input: 'submissionId: ID!\n  submissionCommentIds: [ID!]!',
    payload: 'submissionComments: [SubmissionComment!]',
    async run({ input, graph, send }) {
      const wanted = new Set(fewInputIds(input, 'submissionCommentIds', 'SubmissionComment'));
      const place = await submissionPlace(inputId(input, 'submissionId', 'Submission'), graph);
      await send('PUT', `${place.path}/read/comment`);
      const answer = await graph.rest.read(place.path, { include: ['submission_comments'] });
      const all = (asJson(answer?.body).submission_comments ?? []) as { id: number }[];
      return {
        submissionComments: all
          .filter(({ id }) => wanted.has(id))
          .map((json) => graph.item('SubmissionComment', { ...json, is_read: true, submission_id: asJson(answer?.body).id }, place)),
      };
    },
  },
  updateRubricAssessmentReadState: {
    input: 'submissionIds: [ID!]!',
    payload: 'submissions: [Submission!]',
    async run({ input, graph, send }) {
      const submissions: GraphItem[] = [];
      for (const id of fewInputIds(input, 'submissionIds', 'Submission')) {
        const place = await submissionPlace(id, graph);
        await send('PUT', `${place.path}/rubric_assessments/read`);
        const found = await readSubmission(place, graph);
        if (found) submissions.push(found);
      }
      return { submissions };
    },
  },
  updateSubmissionSticker: {
    input: 'anonymousId: ID\n  assignmentId: ID\n  submissionId: ID!\n  sticker: String',
    payload: 'submission: Submission',
    async run({ input, graph, send }) {
      const place = await submissionPlace(inputId(input, 'submissionId', 'Submission'), graph);
      await send('PUT', place.path, { submission: { sticker: input.sticker ?? null } });
      return { submission: await readSubmission(place, graph) };
    },
  },
  updateSubmissionStudentEnteredScore: {
    input: 'submissionId: ID!\n  enteredScore: Float',
    payload: 'submission: Submission',
    async run({ input, graph, send }) {
      const id = inputId(input, 'submissionId', 'Submission');
      const place = await submissionPlace(id, graph);
      await send('PUT', `/submissions/${id}/what_if_grades`, { student_entered_score: input.enteredScore ?? null });
      return { submission: await readSubmission(place, graph, ['student_entered_score']) };
    },
  },
  updateNotificationPreferences: {
    input: `accountId: ID
  communicationChannelId: ID
  contextType: NotificationContextType
  courseId: ID
  enabled: Boolean
  frequency: NotificationFrequencyType
  hasReadPrivacyNotice: Boolean
  isPolicyOverride: Boolean
  notificationCategory: String
  sendObservedNamesInNotifications: Boolean
  sendScoresInEmails: Boolean`,
    payload: 'user: User',
    async run({ input, graph, send }) {
      const channel = inputIdOrNone(input, 'communicationChannelId', 'CommunicationChannel');
      if (input.isPolicyOverride || input.contextType)
        throw refuseContent('contextType', 'preferences are those of an address, for all courses');
      if (!channel) throw refuseContent('communicationChannelId', 'is missing');
      if (!(await channelsOf(graph)).some(({ json }) => json.id === channel)) throw missing();
      if (!input.notificationCategory || !input.frequency) throw refuseContent('notificationCategory', 'give a category and a frequency');
      await send(
        'PUT',
        `/users/self/communication_channels/${channel}/notification_preference_categories/${encodeURIComponent(categoryName(input.notificationCategory))}`,
        { notification_preferences: { frequency: input.frequency } },
      );
      return { user: await graph.load('User', graph.call.me.id) };
    },
  },
};
