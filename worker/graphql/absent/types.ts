// What clients of Canvas may ask for and Carrel has no data of: declared, so that their queries are valid, and null.

import type { Resolvers } from '../graph';
import type { TypeModule } from '../type_module';

/** By type: fields that are always null. A unit test compares the list with docs/graphql.md. */
export const absentFields: Readonly<Record<string, readonly string[]>> = {
  Query: ['auditLogs', 'internalSetting', 'internalSettings', 'myInboxSettings', 'outcomeCalculationMethod'],
  Account: ['accountDomainLookups', 'accountDomains', 'outcomeCalculationMethod', 'standardGradeStatusesConnection'],
  Assignment: ['ltiAssetProcessorsConnection', 'rubricSelfAssessmentEnabled', 'timeZoneEdited'],
  AssignmentGroup: ['gradesConnection'],
  AssignmentOverride: ['contextModule'],
  Course: ['availableModerators', 'availableModeratorsCount', 'horizonCourse', 'outcomeAlignmentStats', 'outcomeCalculationMethod'],
  Discussion: ['anonymousAuthor', 'editedAt', 'editor', 'ungradedDiscussionOverrides'],
  DiscussionEntry: ['anonymousAuthor', 'editedAt', 'quotedEntry'],
  DiscussionEntryPermissions: ['delete', 'update'],
  GradingStandard: ['rootAccountId', 'usageCount', 'userId', 'version', 'workflowState'],
  NotificationPreferences: ['readPrivacyNoticeDate', 'sendObservedNamesInNotifications', 'sendScoresInEmails'],
  RubricAssessment: ['updatedAt'],
  Submission: [
    'auditEventsConnection',
    'gradedAnonymously',
    'originalityData',
    'resourceLinkLookupUuid',
    'submissionDraft',
    'subAssignmentSubmissions',
    'turnitinData',
  ],
  User: ['commentBankItemsConnection', 'inboxLabels'],
};

const nothing = (): null => null;

const resolversOf = (names: readonly string[]): Resolvers => Object.fromEntries(names.map((name) => [name, nothing]));

export const absentTypes: TypeModule = {
  sdl: `
type MutationLog {
  assetString: ID!
  mutationId: ID!
  mutationName: String!
  params: JSON
  realUser: User
  timestamp: DateTime!
  user: User
}
type AuditLogs {
  mutationLogs(assetString: String!, startTime: DateTime, endTime: DateTime): MutationLogConnection
}
type InternalSetting implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  name: String!
  secret: Boolean!
  value: String
}
type InboxSettings implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  outOfOfficeFirstDate: DateTime
  outOfOfficeLastDate: DateTime
  outOfOfficeMessage: String
  outOfOfficeSubject: String
  signature: String
  useOutOfOffice: Boolean!
  useSignature: Boolean!
  userId: ID!
}
type OutcomeCalculationMethod implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  calculationInt: Int
  calculationMethod: String!
  contextId: ID!
  contextType: String!
  locked: Boolean
}
type AccountDomain implements LegacyIDInterface {
  _id: ID!
  host: String
}
type AccountDomainLookup implements LegacyIDInterface {
  _id: ID!
  domain: String!
  name: String
}
type StandardGradeStatus implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  color: String!
  hidden: Boolean!
  name: String!
}
type CourseOutcomeAlignmentStats {
  alignedArtifacts: Int
  alignedOutcomes: Int
  artifactAlignments: Int
  totalAlignments: Int
  totalArtifacts: Int
  totalOutcomes: Int
}
type CommentBankItem implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  assignmentId: ID
  comment: String!
  courseId: ID!
  userId: ID!
}
type LtiAssetProcessor implements LegacyIDInterface {
  _id: ID!
  title: String
  text: String
}
type SubmissionDraft implements LegacyIDInterface {
  _id: ID!
  activeSubmissionType: DraftableSubmissionType
  attachments: [File!]
  body: String
  externalTool: ExternalTool
  ltiLaunchUrl: URL
  mediaObject: MediaObject
  meetsAssignmentCriteria: Boolean!
  submissionAttempt: Int!
  url: URL
}
enum DraftableSubmissionType {
  basic_lti_launch
  media_recording
  online_text_entry
  online_upload
  online_url
  student_annotation
}
type TurnitinData {
  reportUrl: String
  score: Float
  state: String
  status: String
}
type SubAssignmentSubmission {
  assignmentId: ID
  grade: String
  score: Float
  statusTag: SubmissionStatusTagType
  subAssignmentTag: String
}
type AuditEvent implements LegacyIDInterface {
  _id: ID!
  eventType: String!
  payload: JSON!
  user: User
}
input AssignmentGroupGradesFilter {
  enrollmentIds: [ID!]
}
extend type Query {
  auditLogs: AuditLogs
  internalSetting(id: ID, name: String): InternalSetting
  internalSettings: [InternalSetting!]
  myInboxSettings: InboxSettings
  outcomeCalculationMethod(id: ID!): OutcomeCalculationMethod
}
extend type Account {
  accountDomains: [AccountDomain!]
  accountDomainLookups: [AccountDomainLookup!]
  outcomeCalculationMethod: OutcomeCalculationMethod
  standardGradeStatusesConnection: StandardGradeStatusConnection
}
extend type Assignment {
  ltiAssetProcessorsConnection: LtiAssetProcessorConnection
}
extend type AssignmentGroup {
  gradesConnection(filter: AssignmentGroupGradesFilter): GradesConnection
}
extend type AssignmentOverride {
  contextModule: Module
}
extend type Course {
  availableModerators: UserConnection
  availableModeratorsCount: Int
  outcomeAlignmentStats: CourseOutcomeAlignmentStats
  outcomeCalculationMethod: OutcomeCalculationMethod
}
extend type Discussion {
  anonymousAuthor: AnonymousUser
  editedAt: DateTime
  editor: User
  ungradedDiscussionOverrides: AssignmentOverrideConnection
}
extend type DiscussionEntry {
  anonymousAuthor: AnonymousUser
  editedAt: DateTime
  quotedEntry: QuotedEntry
}
extend type GradingStandard {
  rootAccountId: ID
  usageCount: Int
  userId: ID
  version: Int
  workflowState: String
}
extend type Submission {
  auditEventsConnection: AuditEventConnection
  originalityData: JSON
  resourceLinkLookupUuid: String
  submissionDraft: SubmissionDraft
  subAssignmentSubmissions: [SubAssignmentSubmission!]
  turnitinData: [TurnitinData!]
}
extend type User {
  commentBankItemsConnection(query: String, limit: Int): CommentBankItemConnection
  discussionsSplitscreenView: Boolean!
  inboxLabels: [String!]
}
`,
  resolvers: {
    ...Object.fromEntries(Object.entries(absentFields).map(([type, names]) => [type, resolversOf(names)])),
    User: { ...resolversOf(absentFields.User ?? []), discussionsSplitscreenView: () => false },
  },
};
