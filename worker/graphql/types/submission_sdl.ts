// The schema of submissions, their attempts and comments.

/** The fields that a submission and each of its attempts have. */
const fields = `
  assignment: Assignment
  assignmentId: ID!
  user: User
  userId: ID
  anonymousId: ID
  attempt: Int!
  body: String
  url: URL
  submissionType: SubmissionType
  submittedAt: DateTime
  state: SubmissionState!
  status: String!
  submissionStatus: String
  statusTag: SubmissionStatusTagType!
  score: Float
  grade: String
  enteredScore: Float
  enteredGrade: String
  deductedPoints: Float
  excused: Boolean
  late: Boolean
  missing: Boolean
  latePolicyStatus: LatePolicyStatusType
  secondsLate: Float
  gradingStatus: SubmissionGradingStatus
  gradedAt: DateTime
  gradeHidden: Boolean!
  gradeMatchesCurrentSubmission: Boolean
  gradedAnonymously: Boolean
  posted: Boolean!
  postedAt: DateTime
  cachedDueDate: DateTime
  gradingPeriodId: ID
  extraAttempts: Int
  redoRequest: Boolean
  customGradeStatusId: ID
  sticker: String
  previewUrl: String
  proxySubmitter: String
  proxySubmitterId: ID
  attachment: File
  attachments: [File!]`;

export const submissionSdl = `
enum SubmissionState {
  deleted
  graded
  pending_review
  submitted
  ungraded
  unsubmitted
}
enum SubmissionStatusTagType {
  custom
  excused
  extended
  late
  missing
  none
}
enum SubmissionGradingStatus {
  excused
  graded
  needs_grading
  needs_review
}
enum LatePolicyStatusType {
  extended
  late
  missing
  none
}
enum SubmissionSearchOrderField {
  score
  submitted_at
  username
}
enum SubmissionOrderField {
  _id
  gradedAt
}
enum SubmissionCommentsSortOrderType {
  asc
  desc
}
input SubmissionOrderInputType {
  field: SubmissionOrderField!
  direction: OrderDirection
}
input SubmissionSearchOrder {
  field: SubmissionSearchOrderField!
  direction: OrderDirection
}
input DateTimeRange {
  start: DateTime
  end: DateTime
}
input SubmissionFilterInput {
  states: [SubmissionState!]
  sectionIds: [ID!]
  gradedSince: DateTime
  updatedSince: DateTime
  submittedSince: DateTime
  dueBetween: DateTimeRange
}
input SubmissionSearchFilterInput {
  states: [SubmissionState!]
  sectionIds: [ID!]
  userSearch: String
  userId: ID
  anonymousId: ID
  scoredLessThan: Float
  scoredMoreThan: Float
  late: Boolean
  gradingStatus: SubmissionGradingStatus
  includeUnsubmitted: Boolean
  includeConcluded: Boolean
  includeDeactivated: Boolean
  enrollmentTypes: [EnrollmentType!]
  representativesOnly: Boolean
}
input SubmissionCommentFilterInput {
  allComments: Boolean = false
  forAttempt: Int
  peerReview: Boolean
}
input SubmissionHistoryFilterInput {
  includeCurrentSubmission: Boolean = true
  states: [SubmissionState!]
}
input SubmissionRubricAssessmentFilterInput {
  forAllAttempts: Boolean = false
  forAttempt: Int
}
input SubmissionHistoryOrder {
  field: SubmissionHistoryOrderField!
  direction: OrderDirection
}
enum SubmissionHistoryOrderField {
  attempt
}
type Submission implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime${fields}
  groupId: ID
  readState: String
  studentEnteredScore: Float
  wordCount: Float
  unreadCommentCount: Int!
  hasPostableComments: Boolean!
  feedbackForCurrentAttempt: Boolean!
  commentsConnection(filter: SubmissionCommentFilterInput, includeDraftComments: Boolean, sortOrder: SubmissionCommentsSortOrderType): SubmissionCommentConnection
  rubricAssessmentsConnection(filter: SubmissionRubricAssessmentFilterInput): RubricAssessmentConnection
  submissionHistoriesConnection(filter: SubmissionHistoryFilterInput, orderBy: SubmissionHistoryOrder): SubmissionHistoryConnection
  enrollmentsConnection: EnrollmentConnection
}
type SubmissionHistory implements Timestamped {
  rootId: ID!
  createdAt: DateTime
  updatedAt: DateTime${fields}
}
type SubmissionComment implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  comment: String
  htmlComment: String
  attempt: Int!
  author: User
  attachments: [File!]
  mediaCommentId: ID
  submissionId: ID!
  assignment: Assignment
  course: Course
}
`;
