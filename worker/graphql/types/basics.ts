// Scalars, interfaces and connections: what all types share.

import type { TypeModule } from '../type_module';

export const basics: TypeModule = {
  sdl: `
"ISO 8601 date and time."
scalar DateTime
"ISO 8601 date and time."
scalar ISO8601DateTime
"ISO 8601 duration, such as PT1H30M."
scalar ISO8601Duration
scalar URL
"A text whose HTML characters are escaped."
scalar HtmlEncodedString
scalar JSON

interface Node {
  id: ID!
}
interface LegacyIDInterface {
  _id: ID!
}
interface Timestamped {
  createdAt: DateTime
  updatedAt: DateTime
}
interface AssetString {
  assetString: String
}
type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}
type ValidationError {
  attribute: String
  message: String!
}
enum OrderDirection {
  ascending
  descending
}
`,
};
