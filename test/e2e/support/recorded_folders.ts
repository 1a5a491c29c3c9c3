// More of the recorded library: what is graded in folders, with conflicts and problems.

import type { Channel, ChannelParams, ChannelResult } from '@carrel/desktop/contract/channels';
import type { FolderGradePlan, PlannedChange } from '@carrel/desktop/contract/grading_folders';
import type { Teaching } from './recorded_grading.ts';

type FoldersChannel = Extract<Channel, `folders.${string}`>;
type Channels = { readonly [C in FoldersChannel]: (given: ChannelParams<C>) => Promise<ChannelResult<C>> };

const change = (key: string, name: string, more: Partial<PlannedChange>): PlannedChange => ({
  key,
  name,
  members: '',
  row: 2,
  from: { grade: null, excused: false },
  to: null,
  comment: null,
  files: [],
  for_attempt: null,
  conflict: null,
  ...more,
});
const grade = (text: string | null) => ({ grade: text, excused: false });

const notes: readonly PlannedChange[] = [
  change('301 1001', 'Ada Abernathy', { to: grade('17'), comment: 'A careful report; the map is missing a scale.' }),
  change('301 1002', 'Alexandrina Featherstonehaugh-Montgomery von Hohenstein und zu Waldburg', {
    from: grade('11.5'),
    to: grade('12'),
    files: [
      { name: 'essay with my notes in the margins and a longer letter at the end.pdf', size: 2_410_000 },
      { name: 'rubric.xlsx', size: 18_400 },
    ],
    for_attempt: 1,
  }),
  change('301 1003', 'Benedict Ng', {
    from: grade('12'),
    to: grade('17'),
    conflict: { why: 'graded meanwhile', grade: '14.5', excused: false, grader: 'Ingrid Holm' },
  }),
  change('301 1004', 'Chiamaka Obi', {
    to: grade('9'),
    comment: 'See me after class.',
    conflict: { why: 'newer attempt', grade: null, excused: false, grader: null },
  }),
  change('301 1005', 'Daniel Reyes', { to: { grade: null, excused: true } }),
  change('301 1006', 'Eleni Papadopoulou', { row: null, files: [{ name: 'feedback.pdf', size: 310_000 }] }),
];

const made: FolderGradePlan = {
  id: 'b1946ac92492',
  is_offline: false,
  assignments: [
    {
      assignment_id: 301,
      title: 'Plankton field notes',
      changes: notes,
      problems: [
        { where: 'grades.csv', row: 14, why: '“very good” is not a grade. Enter points, such as 8.5, or a percentage.' },
        {
          where: 'Somebody/Feedback/notes.pdf',
          row: null,
          why: 'The folder “Somebody” belongs to no student. Move the file to the student’s own folder.',
        },
      ],
    },
    {
      assignment_id: 306,
      title: 'Group poster: what lives between the tides',
      changes: [
        change('306 group 5', 'Team Limpet', {
          members: 'Ada Abernathy, Benedict Ng, Chiamaka Obi',
          from: grade('B'),
          to: grade('A-'),
          comment: 'The best poster of the year.',
        }),
      ],
      problems: [],
    },
  ],
};

/** @param folder the study folder */
export function recordedFolders(folder: string, teaching: Teaching | undefined, changed: () => void): Channels {
  let on = teaching?.folders !== 'off';
  let plan: FolderGradePlan =
    teaching?.folders === 'empty' ? { ...made, assignments: [] } : { ...made, is_offline: teaching?.folders === 'offline' };
  return {
    'folders.state': async ({ course_id }) => ({
      can: teaching?.course_id === course_id,
      on,
      folder: on ? `${folder}/Meridian University/Marine Biology/Submissions` : null,
    }),
    'folders.switch': async (given) => {
      on = given.on;
      changed();
      return null;
    },
    'folders.reveal': async () => null,
    'folders.plan': async () => plan,
    'folders.send': async ({ choices }) => {
      if (teaching?.folders === 'outdated' && plan.id === made.id) {
        plan = { ...made, id: 'another', assignments: made.assignments.slice(1) };
        return { instead: plan, sent: 0, waiting: 0, issues: [] };
      }
      const left = ({ key }: PlannedChange) => choices[key] === undefined;
      plan = {
        ...plan,
        assignments: plan.assignments.map((one) => ({ ...one, changes: one.changes.filter(left) })).filter((one) => one.changes.length > 0),
      };
      return { instead: null, sent: Object.keys(choices).length, waiting: 0, issues: [] };
    },
  };
}
