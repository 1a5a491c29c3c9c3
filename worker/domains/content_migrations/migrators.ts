// The types of content migrations, and where each is possible. Pure.

export type MigrationContext = 'Course' | 'Account' | 'Group' | 'User';

export interface MigratorFacts {
  readonly type: string;
  /** As clients offer it in a menu. */
  readonly name: string;
  /** As a migration of the type is called. */
  readonly title: string;
  readonly requires_file_upload: boolean;
  /** Names of settings, as labels. */
  readonly required_settings: readonly string[];
  readonly contexts: readonly MigrationContext[];
  /** Whether a part of the content can be chosen. */
  readonly isSelective: boolean;
}

export const courseCopyType = 'course_copy_importer';
export const zipType = 'zip_file_importer';
export const qtiType = 'qti_converter';
export const cartridgeTypes = ['canvas_cartridge_importer', 'common_cartridge_importer'] as const;
export const isCartridge = (type: string): boolean => cartridgeTypes.some((one) => one === type);

/** In the order of the list. */
const migrators: readonly MigratorFacts[] = [
  {
    type: courseCopyType,
    name: 'Copy a Canvas Course',
    title: 'Course Copy',
    requires_file_upload: false,
    required_settings: ['source_course_id'],
    contexts: ['Course'],
    isSelective: true,
  },
  {
    type: 'canvas_cartridge_importer',
    name: 'Canvas Course Export Package',
    title: 'Canvas Common Cartridge',
    requires_file_upload: true,
    required_settings: [],
    contexts: ['Course'],
    isSelective: true,
  },
  {
    type: zipType,
    name: 'Unzip .zip file into folder',
    title: 'File Import',
    requires_file_upload: true,
    required_settings: ['source_folder_id'],
    contexts: ['Course', 'Group', 'User'],
    isSelective: false,
  },
  {
    type: 'common_cartridge_importer',
    name: 'Common Cartridge 1.x Package',
    title: 'Common Cartridge',
    requires_file_upload: true,
    required_settings: [],
    contexts: ['Course'],
    isSelective: true,
  },
  {
    type: qtiType,
    name: 'QTI .zip file',
    title: 'QTI',
    requires_file_upload: true,
    required_settings: [],
    contexts: ['Course'],
    isSelective: false,
  },
];

export const migratorsIn = (context: MigrationContext): readonly MigratorFacts[] =>
  migrators.filter(({ contexts }) => contexts.includes(context));

/** The migrator of a type, if it is possible in the context. */
export const migratorOf = (type: string, context: MigrationContext): MigratorFacts | undefined =>
  migratorsIn(context).find((one) => one.type === type);

/** The title of a stored migration. */
export const titleOfType = (type: string): string => migrators.find((one) => one.type === type)?.title ?? type;
