// Accounts, terms, grading periods and grading standards.

import { eq } from 'drizzle-orm';
import { grading_period_sets, grading_periods } from '../../domains/grading_periods/table';
import { type Args, askedOf, type Graph, type GraphItem, snake } from '../graph';
import { ratingsOf } from '../outcomes/outcomes';
import { proficiencyAt } from '../outcomes/proficiency';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, key } from '../values';
import { coursesConnection } from './courses';

const node = `
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime`;

/** The accounts above one, the nearest first. */
async function parentsOf(account: GraphItem, graph: Graph): Promise<GraphItem[]> {
  const found: GraphItem[] = [];
  for (let id = account.json.parent_account_id; typeof id === 'number' && found.length < 10; ) {
    const parent: GraphItem | null = await graph.load('Account', id);
    if (!parent) break;
    found.push(parent);
    id = parent.json.parent_account_id;
  }
  return found;
}

/** The set of grading periods of an account with this id, with its periods. */
const setsOf = async (graph: Graph) => {
  const answer = await graph.rest.read('/accounts/1/grading_period_sets', { per_page: 100 });
  return ((answer?.body as RestJson | undefined)?.grading_period_sets ?? []) as RestJson[];
};

const hundredfold = (given: unknown) => (typeof given === 'number' ? Math.round(given * 10_000) / 100 : null);

export const accountTypes: TypeModule = {
  sdl: `
type Account implements Node & LegacyIDInterface & Timestamped {${node}
  name: String
  sisId: String
  coursesConnection: CourseConnection
  subAccountsConnection: AccountConnection
  parentAccountsConnection: AccountConnection!
  rubricsConnection: RubricConnection
  outcomeProficiency: OutcomeProficiency
  proficiencyRatingsConnection: ProficiencyRatingConnection
  rootOutcomeGroup: LearningOutcomeGroup
}
type Term implements Node & LegacyIDInterface & Timestamped {${node}
  name: String
  sisId: String
  sisTermId: String
  startAt: DateTime
  endAt: DateTime
  coursesConnection: CourseConnection
}
type GradingPeriod implements Node & LegacyIDInterface & Timestamped {${node}
  title: String
  startDate: DateTime
  endDate: DateTime
  closeDate: DateTime
  weight: Float
  isClosed: Boolean!
  isLast: Boolean!
  displayTotals: Boolean!
}
type GradingPeriodGroup implements Node & LegacyIDInterface & Timestamped {${node}
  title: String
  weighted: Boolean!
  displayTotals: Boolean!
  enrollmentTermIds: [ID!]!
  gradingPeriodsConnection: GradingPeriodConnection
}
type GradingStandardItem {
  baseValue: Float
  letterGrade: String
}
type GradingStandard implements Node {
  id: ID!
  _id: ID
  title: String
  contextId: ID
  contextType: String
  contextCode: String
  data: [GradingStandardItem!]
}
`,
  resolvers: {
    Account: {
      sisId: key('sis_account_id'),
      coursesConnection: (account, args, graph, info) =>
        coursesConnection(graph, args, `/accounts/${account.json.id}/courses`, askedOf(info)),
      subAccountsConnection: (account, args, graph) =>
        graph.connection(args, `/accounts/${account.json.id}/sub_accounts`, {}, (json) => graph.item('Account', json)),
      parentAccountsConnection: async (account, args, graph) => graph.complete(args, await parentsOf(account, graph)),
      rubricsConnection: (account, args, graph) =>
        graph.connection(args, `/accounts/${account.json.id}/rubrics`, {}, (json) =>
          graph.item('Rubric', json, { account: account.json.id as number }),
        ),
      outcomeProficiency: (account, _args, graph) => proficiencyAt({ account: account.json.id as number }, graph),
      async proficiencyRatingsConnection(account, args, graph) {
        const scale = await proficiencyAt({ account: account.json.id as number }, graph);
        return scale && ratingsOf(scale, args, graph);
      },
      rootOutcomeGroup: (account, _args, graph) =>
        graph.one('LearningOutcomeGroup', `/accounts/${account.json.id}/root_outcome_group`, {}, { account: account.json.id as number }),
    },
    Term: {
      sisId: key('sis_term_id'),
      coursesConnection: (term, args: Args, graph, info) =>
        graph.connection(
          args,
          '/accounts/1/courses',
          { enrollment_term_id: term.json.id, include: askedOf(info).has('term') ? ['term'] : [] },
          (json) =>
            graph.item(
              'Course',
              json,
              { course: json.id as number },
              { path: `/courses/${json.id}`, query: { include: ['syllabus_body', 'term'] } },
            ),
        ),
    },
    GradingPeriod: {
      async displayTotals(period, _args, graph) {
        const set = await graph.load('GradingPeriodGroup', period.json.grading_period_group_id ?? null);
        return set?.json.display_totals_for_all_grading_periods === true;
      },
      isClosed: isTrue('is_closed'),
      isLast: isTrue('is_last'),
    },
    GradingPeriodGroup: {
      weighted: isTrue('weighted'),
      displayTotals: isTrue('display_totals_for_all_grading_periods'),
      enrollmentTermIds: ({ json }) => json.enrollment_term_ids ?? [],
      gradingPeriodsConnection: ({ json, place }, args, graph) =>
        graph.complete(
          args,
          ((json.grading_periods ?? []) as RestJson[]).map((period) => graph.item('GradingPeriod', period, place)),
        ),
    },
    GradingStandard: {
      contextCode: ({ json }) =>
        json.context_type === undefined ? null : `${snake(String(json.context_type)).slice(1)}_${json.context_id}`,
      data: ({ json }) =>
        ((json.grading_scheme ?? []) as RestJson[]).map(({ name, value }) => ({ letterGrade: name, baseValue: hundredfold(value) })),
    },
  },
  loaders: {
    Account: (id, graph) => graph.one('Account', `/accounts/${id}`, {}, { account: id }),
    Term: (id, graph) => graph.one('Term', `/accounts/1/terms/${id}`),
    async GradingPeriod(id, graph) {
      const [row] = await graph.locate<{ course: number | null }[]>((build) =>
        build
          .select({ course: grading_period_sets.course_id })
          .from(grading_periods)
          .innerJoin(grading_period_sets, eq(grading_period_sets.id, grading_periods.grading_period_group_id))
          .where(eq(grading_periods.id, id)),
      );
      const path = row?.course ? `/courses/${row.course}/grading_periods` : '/accounts/1/grading_periods';
      const answer = row && (await graph.rest.read(path));
      const found = ((answer?.body as RestJson | undefined)?.grading_periods as RestJson[] | undefined)?.find((one) => one.id === id);
      return found ? graph.item('GradingPeriod', found) : null;
    },
    async GradingPeriodGroup(id, graph) {
      const found = (await setsOf(graph)).find((one) => one.id === id);
      return found ? graph.item('GradingPeriodGroup', found) : null;
    },
  },
};
