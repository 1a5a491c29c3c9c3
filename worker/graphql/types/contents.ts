// Pages, files, folders, quizzes and external tools.

import { eq } from 'drizzle-orm';
import { pages } from '../../domains/pages/table';
import { quizzes } from '../../domains/quizzes/table';
import type { Args, Graph, GraphItem, GraphPlace } from '../graph';
import { contextPath } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, key, objectArg, oneOfKey } from '../values';
import { contentFields, modulesOfContent } from './modules';

/** The place of what belongs to a course or a group. */
export const placeOfContext = ({ type, id }: { readonly type: string; readonly id: number }): GraphPlace =>
  type === 'Group' ? { group: id } : type === 'Account' ? { account: id } : { course: id };

const title = (name: string) => ({ title: key(name), modules: modulesOfContent });

const listIn = (type: string, segment: string) => async (folder: GraphItem, _args: Args, graph: Graph) =>
  (await graph.all(`/folders/${folder.json.id}/${segment}`))?.map((json) => graph.item(type, json, folder.place));

const rightsOf = ({ json }: GraphItem) => {
  const { legal_copyright, license, use_justification } = objectArg(json.usage_rights);
  return json.usage_rights ? { legalCopyright: legal_copyright, license, useJustification: use_justification } : null;
};

const node = `
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime`;

export const contentObjects: TypeModule = {
  sdl: `
enum ExternalToolState {
  anonymous
  email_only
  name_only
  public
}
type Page implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {${node}${contentFields}
}
type Quiz implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {${node}${contentFields}
  anonymousSubmissions: Boolean!
}
type UsageRights {
  legalCopyright: String
  license: String
  useJustification: String
}
type File implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {${node}${contentFields}
  displayName: String
  contentType: String
  mimeClass: String
  size: String
  url: URL
  thumbnailUrl: URL
  fileState: String
  locked: Boolean
  lockAt: DateTime
  unlockAt: DateTime
  usageRights: UsageRights
  wordCount: Int
}
type Folder implements Node & LegacyIDInterface & Timestamped {${node}
  name: String!
  fullName: String!
  contextId: ID!
  contextType: String!
  parentFolderId: ID
  parentFolder: Folder
  subFolders: [Folder!]
  files: [File!]
  filesCount: Int!
  foldersCount: Int!
  position: Int
  hidden: Boolean
  locked: Boolean
  currentlyLocked: Boolean!
  lockAt: DateTime
  unlockAt: DateTime
  rootFolder: Boolean!
  canUpload: Boolean!
}
type ExternalTool implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {${node}${contentFields}
  name: String
  description: String
  url: URL
  state: ExternalToolState
}
`,
  resolvers: {
    Page: { ...title('title'), type: () => 'Page', graded: ({ json }) => Boolean(json.assignment) },
    Quiz: {
      ...title('title'),
      type: () => 'Quiz',
      graded: ({ json }) => ['assignment', 'graded_survey'].includes(String(json.quiz_type)),
      anonymousSubmissions: isTrue('anonymous_submissions'),
    },
    File: {
      ...title('display_name'),
      type: () => 'File',
      contentType: key('content-type'),
      published: ({ json }) => (typeof json.locked === 'boolean' ? !json.locked : null),
      fileState: ({ json }) => (json.hidden === true ? 'hidden' : json.upload_status === 'success' ? 'available' : json.upload_status),
      usageRights: async (file, _args, graph) => {
        if (file.json.usage_rights !== undefined) return rightsOf(file);
        const whole = await graph.one('File', `/files/${file.json.id}`, { include: ['usage_rights'] });
        return whole && rightsOf(whole);
      },
    },
    Folder: {
      parentFolder: ({ json }, _args, graph, info) => graph.reference('Folder', json.parent_folder_id, info),
      subFolders: listIn('Folder', 'folders'),
      files: listIn('File', 'files'),
      currentlyLocked: isTrue('locked_for_user'),
      rootFolder: ({ json }) => json.parent_folder_id === null,
    },
    ExternalTool: {
      ...title('name'),
      type: () => 'ExternalTool',
      state: oneOfKey('privacy_level', ['anonymous', 'email_only', 'name_only', 'public']),
    },
  },
  loaders: {
    async Page(id, graph) {
      const [row] = await graph.locate<{ type: string; context: number }[]>((build) =>
        build.select({ type: pages.context_type, context: pages.context_id }).from(pages).where(eq(pages.id, id)),
      );
      const place = row && placeOfContext({ type: row.type, id: row.context });
      return place ? graph.one('Page', `${contextPath(place)}/pages/page_id:${id}`, {}, place) : null;
    },
    async Quiz(id, graph) {
      const [row] = await graph.locate<{ course: number }[]>((build) =>
        build.select({ course: quizzes.course_id }).from(quizzes).where(eq(quizzes.id, id)),
      );
      return row ? graph.one('Quiz', `/courses/${row.course}/quizzes/${id}`, {}, { course: row.course }) : null;
    },
    File: (id, graph) => graph.one('File', `/files/${id}`),
    Folder: (id, graph) => graph.one('Folder', `/folders/${id}`),
  },
};

export const fileItem = (graph: Graph, json: RestJson, place: GraphPlace): GraphItem => graph.item('File', json, place);
