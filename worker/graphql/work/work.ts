// What submissions and assignments have beside their grades: reviews that students are asked for, recordings, and what is read.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { Graph, GraphItem } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { included } from '../types/assignments';
import { submissionPath } from '../types/submission_lists';
import { userItem } from '../types/users';
import { objectArg } from '../values';

/** The types of the graph, by those of a Progress. */
const contextTypes: Readonly<Record<string, string>> = {
  Assignment: 'Assignment',
  Attachment: 'File',
  Course: 'Course',
  GroupCategory: 'GroupSet',
  User: 'User',
};

const reviewItem = (graph: Graph, json: RestJson, place: GraphItem['place']): GraphItem => graph.item('AssessmentRequest', json, place);

/** The reviews that the student of a submission is asked for. */
async function reviewsBy({ json, place }: GraphItem, graph: Graph): Promise<GraphItem[] | null> {
  if (json.user_id === undefined) return null;
  const all = await graph.all(`/courses/${place.course}/assignments/${json.assignment_id}/peer_reviews`, { include: ['user'] });
  return all?.filter(({ assessor_id }) => assessor_id === json.user_id).map((one) => reviewItem(graph, one, place)) ?? null;
}

/** A recording as REST shows it with a comment or a submission. */
const mediaItem = (graph: Graph, given: unknown): GraphItem | null => {
  const media = objectArg(given);
  return media.media_id === undefined ? null : graph.item('MediaObject', { ...media, id: media.media_id });
};

async function tracksOfMedia(media_id: unknown, graph: Graph): Promise<object[]> {
  if (typeof media_id !== 'string') return [];
  const found = await graph.some(`/media_objects/${encodeURIComponent(media_id)}/media_tracks`, { include: ['content'] });
  return (found ?? []).map(({ id, content, kind, locale }) => ({ _id: String(id), content, kind, locale }));
}

/** The preview of a file that was handed in with a submission. */
async function previewOf(file: GraphItem, submission: unknown, graph: Graph): Promise<unknown> {
  const found = await graph.load('Submission', legacyId(submission, 'Submission'));
  const all = [found?.json.attachments, ...((found?.json.submission_history ?? []) as RestJson[]).map(({ attachments }) => attachments)];
  const handedIn = all.flatMap((list) => (Array.isArray(list) ? (list as RestJson[]) : [])).find(({ id }) => id === file.json.id);
  return handedIn?.preview_url ?? null;
}

/** Whether the grades of an assignment are posted to all graded students of a section. */
async function isPosted(section: GraphItem, assignment: number | undefined, graph: Graph): Promise<boolean> {
  if (assignment === undefined) return false;
  const all = (await graph.all(`/sections/${section.json.id}/assignments/${assignment}/submissions`)) ?? [];
  const graded = all.filter(({ workflow_state, excused }) => workflow_state === 'graded' || excused === true);
  return graded.length > 0 && graded.every(({ posted_at }) => posted_at !== null && posted_at !== undefined);
}

export const workObjects: TypeModule = {
  sdl: `
type AssessmentRequest implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  anonymousId: ID
  assetId: ID
  assetType: String
  available: Boolean
  user: User
  workflowState: String
}
enum MediaType {
  audio
  video
}
type MediaSource {
  bitrate: String
  contentType: String
  fileExt: String
  height: String
  isOriginal: String
  size: String
  url: URL
  width: String
}
type MediaTrack {
  _id: ID!
  content: String!
  kind: String
  locale: String
}
type MediaObject implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  canAddCaptions: Boolean
  mediaDownloadUrl: URL
  mediaSources: [MediaSource!]
  mediaTracks: [MediaTrack!]
  mediaType: MediaType
  thumbnailUrl: String
  title: String
}
union ProgressContext = Assignment | Course | File | GroupSet | User
extend type Progress {
  context: ProgressContext
}
extend type Assignment {
  assessmentRequestsForCurrentUser: [AssessmentRequest!]
}
extend type Submission {
  assignedAssessments: [AssessmentRequest!]
  hasUnreadRubricAssessment: Boolean!
  mediaObject: MediaObject
  externalToolUrl: String
}
extend type SubmissionHistory {
  mediaObject: MediaObject
  externalToolUrl: String
}
extend type SubmissionComment {
  mediaObject: MediaObject
  draft: Boolean!
  read: Boolean!
  canReply: Boolean
}
extend type ConversationMessage {
  attachmentsConnection: FileConnection
  mediaComment: MediaObject
}
extend type File {
  submissionPreviewUrl(submissionId: ID!): URL
}
extend type Section {
  gradesPosted(assignmentId: ID!): Boolean!
}
extend type Module {
  hasActiveOverrides: Boolean!
}
extend type ExternalTool {
  labelFor(placement: String!): String
  settings: ExternalToolSettings
}
type ExternalToolSettings {
  selectionWidth: Int
  selectionHeight: Int
  iconUrl: URL
}
`,
  resolvers: {
    Assignment: {
      async assessmentRequestsForCurrentUser(assignment, _args, graph) {
        const all = await included('assessment_requests', 'assessment_requests')(assignment, graph);
        return Array.isArray(all) ? all.map((one: RestJson) => reviewItem(graph, one, assignment.place)) : null;
      },
    },
    Progress: {
      context({ json }, _args, graph) {
        const type = lookUp(contextTypes, String(json.context_type));
        return type === undefined ? null : graph.load(type, json.context_id);
      },
    },
    AssessmentRequest: {
      user: ({ json, place }, _args, graph) =>
        userItem(graph, (json.user as RestJson | undefined) ?? { id: json.user_id, name: json.user_name }, place),
    },
    Submission: {
      assignedAssessments: (submission, _args, graph) => reviewsBy(submission, graph),
      async hasUnreadRubricAssessment({ json, place }, _args, graph) {
        if (json.user_id === undefined) return false;
        const answer = await graph.rest.read(`${submissionPath(json, place.course)}/rubric_assessments/read`);
        return objectArg(answer?.body).read === false;
      },
      ...ofAttempts(),
    },
    SubmissionHistory: ofAttempts(),
    SubmissionComment: {
      mediaObject: ({ json }, _args, graph) => mediaItem(graph, json.media_comment),
      draft: () => false,
      read: ({ json }) => json.is_read !== false,
      canReply: ({ json }) => json.can_reply ?? null,
    },
    ConversationMessage: {
      attachmentsConnection: ({ json }, args, graph) =>
        graph.complete(
          args,
          ((json.attachments ?? []) as RestJson[]).map((one) => graph.item('File', one)),
        ),
      mediaComment: ({ json }, _args, graph) => mediaItem(graph, json.media_comment),
    },
    MediaObject: {
      title: ({ json }) => json.title ?? json.display_name ?? null,
      mediaType: ({ json }) => /^(audio|video)/.exec(String(json.media_type ?? json['content-type'] ?? ''))?.[0] ?? null,
      mediaDownloadUrl: ({ json }) => json.url ?? null,
      mediaSources: ({ json }) => (json.url ? [{ url: json.url, contentType: json['content-type'], isOriginal: '1' }] : []),
      mediaTracks: async ({ json }, _args, graph) => tracksOfMedia(json.media_id, graph),
    },
    File: { submissionPreviewUrl: (file, args, graph) => previewOf(file, args.submissionId, graph) },
    Section: { gradesPosted: (section, args, graph) => isPosted(section, legacyId(args.assignmentId, 'Assignment'), graph) },
    Module: {
      async hasActiveOverrides({ json, place }, _args, graph) {
        const all = await graph.some(`/courses/${place.course}/modules/${json.id}/assignment_overrides`);
        return (all?.length ?? 0) > 0;
      },
    },
    ExternalTool: {
      labelFor: ({ json }, args) => {
        const placement = objectArg(Object.entries(json).find(([name]) => name === args.placement)?.[1]);
        return placement.label ?? placement.text ?? json.name ?? null;
      },
      settings: ({ json }) => ({
        selectionWidth: typeof json.selection_width === 'number' ? json.selection_width : null,
        selectionHeight: typeof json.selection_height === 'number' ? json.selection_height : null,
        iconUrl: json.icon_url ?? null,
      }),
    },
  },
};

function ofAttempts() {
  return {
    mediaObject: ({ json }: GraphItem, _args: unknown, graph: Graph) => mediaItem(graph, json.media_comment),
    externalToolUrl: ({ json }: GraphItem) => (json.submission_type === 'basic_lti_launch' ? (json.url ?? null) : null),
  };
}
