// Those to whom the caller may write, and the courses and groups that they share.

import { type Args, contextPath, type Graph, type GraphItem } from '../graph';
import { legacyId } from '../ids';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { enrollmentItem } from '../types/enrollments';

const search = '/search/recipients';
const isSelf = (user: GraphItem, graph: Graph) => user.json.id === graph.call.me.id;
const codeOfCourse = (code: unknown): number | undefined => {
  const id = /^course_(\d{1,16})(_|$)/.exec(String(code ?? ''))?.[1];
  return id === undefined ? undefined : Number(id);
};

const userOf = (graph: Graph, json: RestJson) => graph.item('MessageableUser', { ...json, id: json.id ?? json.user_id });

/** The ids that a map of REST names, such as `{"7": ["StudentEnrollment"]}`. */
const idsIn = (given: unknown): number[] =>
  typeof given === 'object' && given !== null
    ? Object.keys(given)
        .map(Number)
        .filter((id) => id > 0)
    : [];

async function sharedEnrollments(user: GraphItem, graph: Graph): Promise<GraphItem[]> {
  const lists = await Promise.all(
    idsIn(user.json.common_courses).map((course) => graph.some(`/courses/${course}/enrollments`, { user_id: user.json.id })),
  );
  return lists.flatMap((all) => (all ?? []).map((json) => enrollmentItem(graph, json)));
}

const sharedGroups = async (user: GraphItem, graph: Graph): Promise<GraphItem[]> =>
  (await Promise.all(idsIn(user.json.common_groups).map((id) => graph.load('Group', id)))).filter((group) => group !== null);

/** The observers of students in a course. */
async function observersOf(args: Args, graph: Graph): Promise<RestJson[]> {
  const course = codeOfCourse(args.contextCode);
  if (course === undefined) return [];
  const students = new Set((args.recipientIds as unknown[]).map((id) => legacyId(id, 'User')));
  const all = await graph.all(`/courses/${course}/enrollments`, { type: ['ObserverEnrollment'] });
  const found = (all ?? []).filter(({ associated_user_id }) => students.has(associated_user_id as number));
  return [...new Map(found.map((one) => [one.user_id, one.user as RestJson])).values()];
}

export const recipientObjects: TypeModule = {
  sdl: `
type MessageableUser implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  name: String!
  shortName: String
  pronouns: String
  commonCoursesConnection: EnrollmentConnection
  commonGroupsConnection: GroupConnection
  observerEnrollmentsConnection(contextCode: String!): EnrollmentConnection
}
type MessageableContext {
  id: ID!
  name: String!
  userCount: Int
  itemCount: Int
  avatarUrl: URL
}
type Recipients {
  sendMessagesAll: Boolean
  contextsConnection: MessageableContextConnection
  usersConnection: MessageableUserConnection
}
extend type User {
  recipients(search: String, context: String): Recipients
  recipientsObservers(contextCode: String!, recipientIds: [String!]!): MessageableUserConnection
  totalRecipients(context: String): Int!
}
extend type Discussion {
  mentionableUsersConnection(searchTerm: String): MessageableUserConnection
}
`,
  resolvers: {
    User: {
      recipients: (user, args, graph) =>
        isSelf(user, graph) ? graph.item('Recipients', { search: args.search ?? '', context: args.context ?? undefined }) : null,
      recipientsObservers: async (user, args, graph) =>
        graph.complete(
          args,
          (isSelf(user, graph) ? await observersOf(args, graph) : []).map((json) => userOf(graph, json)),
        ),
      async totalRecipients(user, args, graph) {
        if (!isSelf(user, graph)) return 0;
        const all = await graph.all(search, { type: 'user', ...(args.context ? { context: args.context } : {}) });
        return all?.length ?? 0;
      },
    },
    Recipients: {
      async sendMessagesAll({ json }, _args, graph) {
        const course = codeOfCourse(json.context);
        if (course === undefined) return false;
        const answer = await graph.rest.read(`/courses/${course}/permissions`, { permissions: ['send_messages_all'] });
        return (answer?.body as RestJson | undefined)?.send_messages_all === true;
      },
      contextsConnection: ({ json }, args, graph) =>
        graph.connection(args, search, { ...json, type: 'context' }, (one) => graph.item('MessageableContext', one)),
      usersConnection: ({ json }, args, graph) => graph.connection(args, search, { ...json, type: 'user' }, (one) => userOf(graph, one)),
    },
    MessageableContext: { id: ({ json }) => json.id },
    MessageableUser: {
      name: ({ json }) => json.full_name ?? json.name ?? '',
      shortName: ({ json }) => json.short_name ?? json.name,
      commonCoursesConnection: async (user, args, graph) => graph.complete(args, await sharedEnrollments(user, graph)),
      commonGroupsConnection: async (user, args, graph) => graph.complete(args, await sharedGroups(user, graph)),
      async observerEnrollmentsConnection(user, args, graph) {
        const course = codeOfCourse(args.contextCode);
        const all =
          course === undefined
            ? []
            : await graph.some(`/courses/${course}/enrollments`, { user_id: user.json.id, type: ['ObserverEnrollment'] });
        return graph.complete(
          args,
          (all ?? []).map((json) => enrollmentItem(graph, json)),
        );
      },
    },
    Discussion: {
      mentionableUsersConnection: ({ place }, args, graph) =>
        graph.connection(
          args,
          `${contextPath(place)}/users`,
          args.searchTerm ? { search_term: args.searchTerm } : {},
          (json) => userOf(graph, json),
          (json) => json.id !== graph.call.me.id,
        ),
    },
  },
};
