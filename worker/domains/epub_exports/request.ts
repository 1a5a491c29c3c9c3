// The name of the job that writes books.

export const bookJob = 'epub_export';
export const bookTag = 'epub_export';
