// Gradebooks as CSV: what the API reference says about the endpoints in exports/ and uploads/.

export const about = {
  title: 'Gradebook CSV',
  description:
    "Exports of a gradebook as a file with the columns of Canvas', and imports of such files. An import is a dry run first: it lists per student what would change, what is ignored and what is wrong. The confirmation applies the changes whose cells still have the value that the dry run has shown; others are reported as conflicts.",
};
