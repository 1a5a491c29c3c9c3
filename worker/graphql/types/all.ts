// All types of the graph.

import { absentTypes } from '../absent/types';
import { outcomeObjects } from '../outcomes/outcomes';
import { notificationObjects } from '../people/notifications';
import { recipientObjects } from '../people/recipients';
import { standingObjects } from '../people/standing';
import { threadObjects } from '../talks/threads';
import type { TypeModule } from '../type_module';
import { workObjects } from '../work/work';
import { accountTypes } from './accounts';
import { assignmentTypes } from './assignments';
import { contentObjects } from './contents';
import { conversationTypes } from './conversations';
import { courseTypes } from './courses';
import { discussionTypes } from './discussions';
import { enrollmentObjects } from './enrollments';
import { gradeStatusTypes } from './grade_statuses';
import { groupTypes } from './groups';
import { moduleTypes } from './modules';
import { queryTypes } from './query';
import { rubricTypes } from './rubrics';
import { submissionObjects } from './submissions';
import { userObjects } from './users';

export const allTypes: readonly TypeModule[] = [
  queryTypes,
  accountTypes,
  courseTypes,
  enrollmentObjects,
  userObjects,
  assignmentTypes,
  submissionObjects,
  moduleTypes,
  contentObjects,
  discussionTypes,
  groupTypes,
  rubricTypes,
  gradeStatusTypes,
  conversationTypes,
  outcomeObjects,
  recipientObjects,
  notificationObjects,
  standingObjects,
  threadObjects,
  workObjects,
  absentTypes,
];
