// Where REST has a submission that a mutation names.

import { assignmentIn, mostUsers, studentIn } from '../../rules/submission_ids';
import type { Graph, GraphItem } from '../graph';
import { submissionItem } from '../types/submission_lists';
import { courseOfAssignment } from '../types/submissions';
import { asJson, missing } from './mutation';

export interface SubmissionPlace {
  readonly course: number;
  readonly assignment: number;
  readonly user: number;
  readonly path: string;
}

/** The address of a submission in REST. @throws GraphQLError `not found`; ids of anonymous submissions name no student */
export async function submissionPlace(id: number, graph: Graph): Promise<SubmissionPlace> {
  if (id >= 2 ** 52 || id < mostUsers) throw missing();
  const [assignment, user] = [assignmentIn(id), studentIn(id)];
  const course = await courseOfAssignment(assignment, graph);
  if (course === undefined) throw missing();
  return { course, assignment, user, path: `/courses/${course}/assignments/${assignment}/submissions/${user}` };
}

export const readSubmission = async (
  { course, path }: SubmissionPlace,
  graph: Graph,
  include: readonly string[] = [],
): Promise<GraphItem | null> => {
  const answer = await graph.rest.read(path, { include });
  return answer ? submissionItem(graph, asJson(answer.body), course) : null;
};
