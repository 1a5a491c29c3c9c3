// The roles of a user in a launch, in the vocabularies of LTI 1.1 and 1.3 (reference 06 §7, §8). Pure.

export interface LaunchRoles {
  /** Types of the user's enrollments in the course, each once. */
  readonly types: readonly string[];
  /** The user administers an account of the context. */
  readonly isAdmin: boolean;
  /** Types of the user's enrollments anywhere. */
  readonly everywhere: readonly string[];
  readonly isRootAdmin: boolean;
}

interface Words {
  readonly short: string;
  readonly urn: string;
  readonly institution: string;
  readonly membership: string;
  readonly person: string;
  readonly canvas: string;
}

const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership';
const person = 'http://purl.imsglobal.org/vocab/lis/v2/institution/person';
const system = 'http://purl.imsglobal.org/vocab/lis/v2/system/person';

const student: Words = {
  short: 'Learner',
  urn: 'urn:lti:role:ims/lis/Learner',
  institution: 'urn:lti:instrole:ims/lis/Student',
  membership: `${membership}#Learner`,
  person: `${person}#Student`,
  canvas: 'StudentEnrollment',
};
const instructor = 'urn:lti:instrole:ims/lis/Instructor';

const words: readonly (Words & { readonly type: string })[] = [
  { type: 'StudentEnrollment', ...student },
  { type: 'StudentViewEnrollment', ...student },
  {
    type: 'TeacherEnrollment',
    short: 'Instructor',
    urn: 'urn:lti:role:ims/lis/Instructor',
    institution: instructor,
    membership: `${membership}#Instructor`,
    person: `${person}#Instructor`,
    canvas: 'TeacherEnrollment',
  },
  {
    type: 'TaEnrollment',
    short: 'urn:lti:role:ims/lis/TeachingAssistant',
    urn: 'urn:lti:role:ims/lis/TeachingAssistant',
    institution: instructor,
    membership: 'http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant',
    person: `${person}#Instructor`,
    canvas: 'TaEnrollment',
  },
  {
    type: 'DesignerEnrollment',
    short: 'ContentDeveloper',
    urn: 'urn:lti:role:ims/lis/ContentDeveloper',
    institution: instructor,
    membership: `${membership}#ContentDeveloper`,
    person: `${person}#Instructor`,
    canvas: 'DesignerEnrollment',
  },
  {
    type: 'ObserverEnrollment',
    short: 'urn:lti:instrole:ims/lis/Observer',
    urn: 'urn:lti:role:ims/lis/Learner/NonCreditLearner',
    institution: 'urn:lti:instrole:ims/lis/Observer',
    membership: `${membership}#Mentor`,
    person: `${person}#Observer`,
    canvas: 'ObserverEnrollment',
  },
];

const unique = (given: readonly string[]) => [...new Set(given)];
const of = (types: readonly string[], name: keyof Words): string[] =>
  words.filter(({ type }) => types.includes(type)).map((one) => one[name]);

const administrator = 'urn:lti:instrole:ims/lis/Administrator';
const nobody = 'urn:lti:sysrole:ims/lis/None';

/** `roles` of LTI 1.1: the roles in the context, or the role `None`. */
export function contextRoles({ types, isAdmin }: LaunchRoles): string[] {
  const found = unique([...of(types, 'short'), ...(isAdmin ? [administrator] : [])]);
  return found.length > 0 ? found : [nobody];
}

/** `ext_roles` of LTI 1.1: all roles as URNs. */
export const allRoles = ({ types, isAdmin, everywhere, isRootAdmin }: LaunchRoles): string[] =>
  unique([
    ...(isAdmin || isRootAdmin ? [administrator] : []),
    ...of(everywhere, 'institution'),
    ...of(types, 'urn'),
    isRootAdmin ? 'urn:lti:sysrole:ims/lis/SysAdmin' : 'urn:lti:sysrole:ims/lis/User',
  ]).sort();

/** Roles in a course alone, for rosters. */
export const membershipRoles = (types: readonly string[]): string[] => unique(of(types, 'membership'));

/** `roles` of LTI 1.3. */
export const claimedRoles = ({ types, isAdmin, everywhere, isRootAdmin }: LaunchRoles): string[] =>
  unique([
    ...(isAdmin || isRootAdmin ? [`${person}#Administrator`] : []),
    ...of(everywhere, 'person'),
    ...membershipRoles(types),
    isRootAdmin ? `${system}#SysAdmin` : `${system}#User`,
  ]).sort();

/** As Canvas itself names them. */
export const canvasRoles = ({ types, isAdmin }: LaunchRoles): string[] =>
  unique([...of(types, 'canvas'), ...(isAdmin ? ['Account Admin'] : [])]);
