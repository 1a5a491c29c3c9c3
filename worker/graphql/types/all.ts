// All types of the graph.

import type { TypeModule } from '../type_module';
import { accountTypes } from './accounts';
import { assignmentTypes } from './assignments';
import { contentTypes } from './contents';
import { conversationTypes } from './conversations';
import { courseTypes } from './courses';
import { discussionTypes } from './discussions';
import { enrollmentTypes } from './enrollments';
import { groupTypes } from './groups';
import { moduleTypes } from './modules';
import { queryTypes } from './query';
import { rubricTypes } from './rubrics';
import { submissionTypes } from './submissions';
import { userTypes } from './users';

export const allTypes: readonly TypeModule[] = [
  queryTypes,
  accountTypes,
  courseTypes,
  enrollmentTypes,
  userTypes,
  assignmentTypes,
  submissionTypes,
  moduleTypes,
  contentTypes,
  discussionTypes,
  groupTypes,
  rubricTypes,
  conversationTypes,
];
