// All mutations of the graph, each with its types of input and payload.

import { absentMutations } from '../absent/mutations';
import type { Resolver } from '../graph';
import type { TypeModule } from '../type_module';
import { contentInputs, contentMutations } from './contents';
import { conversationMutations } from './conversations';
import { gradingMutations } from './grading';
import { ContentRefusal, type Input, type Mutation, senderOf } from './mutation';
import { outcomeInputs, outcomeMutations } from './outcomes';
import { readingMutations } from './reading';
import { talkInputs, talkMutations } from './talks';

const mutations: Readonly<Record<string, Mutation>> = {
  ...contentMutations,
  ...gradingMutations,
  ...talkMutations,
  ...conversationMutations,
  ...readingMutations,
  ...outcomeMutations,
  ...absentMutations,
};

const typeNameOf = (name: string, { typeName }: Mutation): string => typeName ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const sdlOfOne = ([name, mutation]: [string, Mutation]): string => `
input ${typeNameOf(name, mutation)}Input {
  ${mutation.input}
}
type ${typeNameOf(name, mutation)}Payload {
  ${mutation.payload}
  errors: [ValidationError!]
}`;

const field = ([name, mutation]: [string, Mutation]): string =>
  `  ${name}(input: ${typeNameOf(name, mutation)}Input!): ${typeNameOf(name, mutation)}Payload`;

/** Content that REST refuses is reported in the payload. */
const resolverOf =
  ({ run }: Mutation): Resolver =>
  async (_root, args, graph, info) => {
    const send = senderOf(graph, String(info.path.key));
    try {
      return await run({ input: args.input as Input, graph, send, info });
    } catch (error) {
      if (error instanceof ContentRefusal) return { errors: error.errors };
      throw error;
    }
  };

const all = Object.entries(mutations);

export const mutationTypes: TypeModule = {
  sdl: `${contentInputs}${talkInputs}${outcomeInputs}
enum OnlineSubmissionType {
  basic_lti_launch
  media_recording
  online_text_entry
  online_upload
  online_url
  student_annotation
}
${all.map(sdlOfOne).join('\n')}
type Mutation {
${all.map(field).join('\n')}
}
`,
  resolvers: { Mutation: Object.fromEntries(all.map(([name, mutation]) => [name, resolverOf(mutation)])) },
};
