// The schema of assignments, their groups and dates.

export const assignmentWords = {
  grading: ['gpa_scale', 'letter_grade', 'not_graded', 'pass_fail', 'percent', 'points'],
  submission: [
    'attendance',
    'basic_lti_launch',
    'discussion_topic',
    'external_tool',
    'media_recording',
    'none',
    'not_graded',
    'on_paper',
    'online_quiz',
    'online_text_entry',
    'online_upload',
    'online_url',
    'student_annotation',
    'wiki_page',
  ],
};

export const assignmentSdl = `
enum AssignmentState {
  deleted
  duplicating
  fail_to_import
  failed_to_clone_outcome_alignment
  failed_to_duplicate
  failed_to_migrate
  importing
  migrating
  outcome_alignment_cloning
  published
  unpublished
}
enum GradingType { ${assignmentWords.grading.join(' ')} }
enum SubmissionType { ${assignmentWords.submission.join(' ')} }
input AssignmentFilter {
  userId: ID
  gradingPeriodId: ID
  searchTerm: String
}
type AssignmentPeerReviews {
  enabled: Boolean
  count: Int
  dueAt: DateTime
  automaticReviews: Boolean
  anonymousReviews: Boolean
  intraReviews: Boolean
}
type ModeratedGrading {
  enabled: Boolean
  graderCount: Int
  finalGrader: User
  graderCommentsVisibleToGraders: Boolean
  graderNamesVisibleToFinalGrader: Boolean
  gradersAnonymousToGraders: Boolean
}
type AssignmentScoreStatistic {
  count: Int
  minimum: Float
  lowerQ: Float
  median: Float
  mean: Float
  upperQ: Float
  maximum: Float
}
type Checkpoint {
  name: String
  tag: String
  pointsPossible: Float
  dueAt: DateTime
  lockAt: DateTime
  unlockAt: DateTime
  onlyVisibleToOverrides: Boolean
}
enum AssignmentTargetSortField {
  title
}
input AssignmentTargetSortOrder {
  field: AssignmentTargetSortField!
  direction: OrderDirection
}
type LockInfo {
  isLocked: Boolean!
  lockAt: DateTime
  unlockAt: DateTime
  canView: Boolean
}
type Assignment implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String
  title: String
  type: String
  graded: Boolean
  description: String
  courseId: ID
  course: Course
  assignmentGroupId: ID
  assignmentGroup: AssignmentGroup
  state: AssignmentState!
  dueAt(applyOverrides: Boolean = true): DateTime
  lockAt(applyOverrides: Boolean = true): DateTime
  unlockAt(applyOverrides: Boolean = true): DateTime
  pointsPossible: Float
  gradingType: GradingType
  submissionTypes: [SubmissionType!]
  position: Int
  htmlUrl: URL
  published: Boolean
  canUnpublish: Boolean
  canDuplicate: Boolean
  allowedAttempts: Int
  allowedExtensions: [String!]
  anonymousGrading: Boolean
  anonymizeStudents: Boolean
  anonymousInstructorAnnotations: Boolean
  omitFromFinalGrade: Boolean
  onlyVisibleToOverrides: Boolean!
  visibleToEveryone: Boolean!
  gradeAsGroup: Boolean!
  gradeGroupStudentsIndividually: Boolean
  groupCategoryId: Int
  groupSet: GroupSet
  hasGroupCategory: Boolean!
  hasMultipleDueDates: Boolean
  hasSubmittedSubmissions: Boolean
  gradedSubmissionsExist: Boolean
  gradesPublished: Boolean
  needsGradingCount: Int
  moderatedGrading: ModeratedGrading
  moderatedGradingEnabled: Boolean
  peerReviews: AssignmentPeerReviews
  postManually: Boolean
  postPolicy: PostPolicy
  postToSis: Boolean
  importantDates: Boolean
  isNewQuiz: Boolean!
  quiz: Quiz
  discussion: Discussion
  rubric: Rubric
  rubricAssociation: RubricAssociation
  gradingStandard: GradingStandard
  gradingPeriodId: String
  inClosedGradingPeriod: Boolean
  lockInfo: LockInfo
  modules: [Module!]
  hasSubAssignments: Boolean!
  dueDateRequired: Boolean
  expectsSubmission: Boolean
  expectsExternalSubmission: Boolean
  nonDigitalSubmission: Boolean
  scoreStatistic: AssignmentScoreStatistic
  sisId: String
  timeZoneEdited: String
  restrictQuantitativeData: Boolean
  isLockedByMasterCourse: Boolean
  totalSubmissions: Int
  totalGradedSubmissions: Int
  rubricSelfAssessmentEnabled: Boolean
  checkpoints: [Checkpoint!]
  assignmentOverrides: AssignmentOverrideConnection
  assignmentTargetConnection(orderBy: AssignmentTargetSortOrder): AssignmentOverrideConnection
  submissionsConnection(filter: SubmissionSearchFilterInput, orderBy: [SubmissionSearchOrder!]): SubmissionConnection
  groupSubmissionsConnection(filter: SubmissionSearchFilterInput, orderBy: [SubmissionSearchOrder!]): SubmissionConnection
}
type AdhocStudents {
  students: [User!]
}
type Noop {
  _id: ID!
}
union AssignmentOverrideSet = AdhocStudents | Course | Group | Section | Noop
type AssignmentOverride implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  title: String
  dueAt: DateTime
  lockAt: DateTime
  unlockAt: DateTime
  allDay: Boolean
  unassignItem: Boolean
  assignment: Assignment
  set: AssignmentOverrideSet
}
type PostPolicy implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  postManually: Boolean!
  course: Course
  assignment: Assignment
}
enum AssignmentGroupState {
  available
  deleted
}
type AssignmentGroupRules {
  dropLowest: Int
  dropHighest: Int
  neverDrop: [Assignment!]
}
type AssignmentGroup implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String
  position: Int
  groupWeight: Float
  state: AssignmentGroupState
  sisId: String
  rules: AssignmentGroupRules
  assignmentsConnection(filter: AssignmentFilter): AssignmentConnection
}
`;
