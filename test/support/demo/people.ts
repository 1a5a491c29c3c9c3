// The people at Whitmore University: the six whose credentials are printed, and thirty students.

import type { Ground, Person } from '../ground';

const names = [
  'Amara Okafor',
  'Benjamín Ruiz',
  'Chloé Lefèvre',
  'Daniyar Akhmetov',
  'Eleni Papadopoulou',
  'Farah Siddiqui',
  'Gustav Lindqvist',
  'Hana Nováková',
  'Ibrahim Diallo',
  'Jun Takahashi',
  'Katarzyna Wójcik',
  'Liam O’Connell',
  'Mei-Ling Chen',
  'Nikolai Petrov',
  'Oluwaseun Adeyemi',
  'Priya Raghunathan',
  'Quentin Dubois',
  'Rosa Martínez',
  'Sofia Andersson',
  'Tariq Mansour',
  'Ulrike Baumann',
  'Valentina Rossi',
  'William Thornton',
  'Xiao Wang',
  'Yuki Tanaka',
  'Zahra Hosseini',
  'Anders Holm',
  'Beatriz Almeida',
]; // prettier-ignore

export interface DemoPeople {
  readonly admin: Person;
  readonly teacher: Person;
  readonly ta: Person;
  /** Another teacher, without a printed password. */
  readonly colleague: Person;
  readonly student: Person;
  readonly student2: Person;
  readonly observer: Person;
  readonly others: readonly Person[];
}

export const passwords = {
  admin: 'whitmore-admin',
  teacher: 'whitmore-teacher',
  ta: 'whitmore-ta',
  student: 'whitmore-student',
  student2: 'whitmore-student2',
  observer: 'whitmore-observer',
} as const;

const login = (name: string) =>
  `${name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '.')}@whitmore.example`;

/** Thirty students, two teachers, an assistant, an observer of the first two students, an administrator. */
export async function populate(ground: Ground): Promise<DemoPeople> {
  const one = (name: string, part: keyof typeof passwords) => ground.person({ name, login: login(name), password: passwords[part] });
  const others: Person[] = [];
  for (const name of names) others.push(await ground.person({ name, login: login(name) }));
  return {
    admin: await ground.admin({ name: 'Adaeze Marsh', login: login('Adaeze Marsh'), password: passwords.admin }),
    teacher: await one('Helen Vasquez', 'teacher'),
    ta: await one('Tobias Lund', 'ta'),
    colleague: await ground.person({ name: 'Grace Lindgren', login: login('Grace Lindgren') }),
    student: await one('Maya Fischer', 'student'),
    student2: await one('Jonas Berg', 'student2'),
    observer: await one('Petra Fischer', 'observer'),
    others,
  };
}
