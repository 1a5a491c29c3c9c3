// Mutations of Canvas for which Carrel stores nothing: declared, so that documents with them are valid, and refused in the payload.

import { type Mutation, refuseContent } from '../mutations/mutation';

const refuse: Mutation['run'] = async () => {
  throw refuseContent('base', 'is not supported by this service');
};

const absent = (input: string, payload: string): Mutation => ({ input, payload, run: refuse });

const scale = 'calculationInt: Int\n  calculationMethod: String';
const setting = 'internalSetting: InternalSetting';
const lookUpPayload = 'accountDomainLookup: AccountDomainLookup';

export const absentMutations: Readonly<Record<string, Mutation>> = {
  createSubmissionDraft: absent(
    `activeSubmissionType: DraftableSubmissionType!
  submissionId: ID!
  attempt: Int
  body: String
  url: String
  fileIds: [ID!]
  mediaId: ID
  externalToolId: ID
  ltiLaunchUrl: String
  resourceLinkLookupUuid: String`,
    'submissionDraft: SubmissionDraft',
  ),
  deleteSubmissionDraft: absent('submissionId: ID!', 'submissionDraftIds: [ID!]'),
  postDraftSubmissionComment: absent('submissionCommentId: ID!', 'submissionComment: SubmissionComment'),
  updateDiscussionExpanded: absent('discussionTopicId: ID!\n  expanded: Boolean!', 'discussionTopic: Discussion'),
  updateDiscussionSortOrder: absent('discussionTopicId: ID!\n  sortOrder: DiscussionSortOrderType!', 'discussionTopic: Discussion'),
  updateDiscussionTopicParticipant: absent(
    'discussionTopicId: ID!\n  expanded: Boolean\n  sortOrder: DiscussionSortOrderType',
    'discussionTopic: Discussion',
  ),
  createDiscussionEntryDraft: absent(
    'discussionTopicId: ID!\n  message: String!\n  discussionEntryId: ID\n  parentId: ID\n  fileId: ID',
    'discussionEntryDraft: QuotedEntry',
  ),
  deleteOutcomeProficiency: absent('id: ID!', 'outcomeProficiencyId: ID'),
  createOutcomeCalculationMethod: absent(
    `contextId: ID!\n  contextType: ProficiencyContextType!\n  ${scale}`,
    'outcomeCalculationMethod: OutcomeCalculationMethod',
  ),
  updateOutcomeCalculationMethod: absent(`id: ID!\n  ${scale}`, 'outcomeCalculationMethod: OutcomeCalculationMethod'),
  deleteOutcomeCalculationMethod: absent('id: ID!', 'outcomeCalculationMethodId: ID'),
  createCommentBankItem: absent('comment: String!\n  courseId: ID!\n  assignmentId: ID', 'commentBankItem: CommentBankItem'),
  updateCommentBankItem: absent('id: ID!\n  comment: String!', 'commentBankItem: CommentBankItem'),
  deleteCommentBankItem: absent('id: ID!', 'commentBankItemId: ID'),
  upsertStandardGradeStatus: absent('id: ID\n  color: String!\n  name: String!', 'standardGradeStatus: StandardGradeStatus'),
  createUserInboxLabel: absent('names: [String!]!', 'inboxLabels: [String!]'),
  deleteUserInboxLabel: absent('names: [String!]!', 'inboxLabels: [String!]'),
  updateMyInboxSettings: absent(
    `outOfOfficeFirstDate: String
  outOfOfficeLastDate: String
  outOfOfficeMessage: String
  outOfOfficeSubject: String
  signature: String
  useOutOfOffice: Boolean!
  useSignature: Boolean!`,
    'myInboxSettings: InboxSettings',
  ),
  updateRubricArchivedState: absent('id: ID!\n  archived: Boolean!', 'rubric: Rubric'),
  setRubricSelfAssessment: absent('assignmentId: ID!\n  rubricSelfAssessmentEnabled: Boolean!', 'assignment: Assignment'),
  autoGradeSubmission: absent('submissionId: ID!', 'progress: Progress\n  error: String'),
  updateGradebookGroupFilter: absent('anonymousId: ID\n  assignmentId: ID!\n  courseId: ID!\n  groupId: ID', 'reason: String'),
  updateSpeedGraderSettings: absent('gradeByQuestion: Boolean', 'speedGraderSettings: JSON'),
  updateUserDiscussionsSplitscreenView: absent('discussionsSplitscreenView: Boolean!', 'user: User'),
  createInternalSetting: absent('name: String!\n  value: String!', setting),
  updateInternalSetting: absent('internalSettingId: ID!\n  value: String!', setting),
  deleteInternalSetting: absent('internalSettingId: ID!', 'internalSettingId: ID'),
  createAccountDomainLookup: absent('accountDomainId: ID!\n  authenticationProvider: String\n  name: String!', lookUpPayload),
  updateAccountDomainLookup: absent('id: ID!\n  authenticationProvider: String\n  name: String', lookUpPayload),
  deleteAccountDomainLookup: absent('id: ID!', 'accountDomainLookupId: ID'),
};
