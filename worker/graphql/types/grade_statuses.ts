// Statuses of submissions that the institution has defined.

import type { TypeModule } from '../type_module';

export const gradeStatusTypes: TypeModule = {
  sdl: `
type CustomGradeStatus implements Node & LegacyIDInterface {
  id: ID!
  _id: ID!
  color: String!
  name: String!
}
extend type Account {
  customGradeStatusesConnection: CustomGradeStatusConnection
}
extend type Course {
  customGradeStatusesConnection: CustomGradeStatusConnection
}
extend type Submission {
  customGradeStatus: String
}
`,
  resolvers: {
    Account: {
      customGradeStatusesConnection: (account, args, graph) =>
        graph.connection(args, `/accounts/${account.json.id}/custom_grade_statuses`, {}, (json) => graph.item('CustomGradeStatus', json)),
    },
    Course: {
      customGradeStatusesConnection: (course, args, graph) =>
        graph.connection(args, `/courses/${course.json.id}/custom_grade_statuses`, {}, (json) => graph.item('CustomGradeStatus', json)),
    },
    Submission: {
      async customGradeStatus({ json, place }, _args, graph) {
        if (!json.custom_grade_status_id) return null;
        const all = await graph.some(`/courses/${place.course}/custom_grade_statuses`);
        return all?.find(({ id }) => id === json.custom_grade_status_id)?.name ?? null;
      },
    },
  },
};
