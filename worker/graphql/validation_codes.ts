// Codes of invalid queries, as clients of Canvas know them.

import { type ASTNode, type GraphQLError, Kind } from 'graphql';

const codes: readonly (readonly [RegExp, string])[] = [
  [/^Cannot query field/, 'undefinedField'],
  [/^Unknown type/, 'undefinedType'],
  [/^Unknown argument/, 'argumentNotAccepted'],
  [/^Unknown directive/, 'undefinedDirective'],
  [/^Unknown fragment/, 'useAndDefineFragment'],
  [/^Fragment .* is never used|^Fragment .* is unused/, 'useAndDefineFragment'],
  [/cannot be spread here|can never be of type/, 'cannotSpreadFragment'],
  [/^Cannot spread fragment .* within itself/, 'infiniteLoop'],
  [/must have a selection of subfields|must not have a selection/, 'selectionMismatch'],
  [/is required, but it was not provided/, 'missingRequiredArguments'],
  [/^Variable .* is not defined/, 'variableNotDefined'],
  [/^Variable .* is never used/, 'variableNotUsed'],
  [/^Variable .* used in position|^Variable .* of type/, 'variableMismatch'],
  [/cannot represent|Expected value|does not exist in .* enum|Enum .* cannot/, 'argumentLiteralsIncompatible'],
  [/conflict because/, 'fieldConflict'],
];

const nameOf = (node: ASTNode | undefined): string | undefined => (node && 'name' in node && node.name ? node.name.value : undefined);

/** @returns the code, and the names of the field or argument that the error is about */
export function codeOf({ message, nodes }: GraphQLError): Record<string, unknown> {
  const isOfInput = /^Field ".*" of required type|to include required field|^Field .* of required/.test(message);
  const code = isOfInput
    ? 'missingRequiredInputObjectAttribute'
    : (codes.find(([pattern]) => pattern.test(message))?.[1] ?? 'invalidQuery');
  const node = nodes?.[0];
  const typeName = /on type "([^"]+)"/.exec(message)?.[1];
  return {
    code,
    ...(typeName && { typeName }),
    ...(node?.kind === Kind.FIELD && { fieldName: nameOf(node) }),
    ...(node?.kind === Kind.ARGUMENT && { argumentName: nameOf(node) }),
  };
}
