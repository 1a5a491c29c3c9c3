// All types of the graph.

import type { TypeModule } from '../type_module';
import { accountTypes } from './accounts';
import { assignmentTypes } from './assignments';
import { contentObjects } from './contents';
import { conversationTypes } from './conversations';
import { courseTypes } from './courses';
import { discussionTypes } from './discussions';
import { enrollmentObjects } from './enrollments';
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
  conversationTypes,
];
