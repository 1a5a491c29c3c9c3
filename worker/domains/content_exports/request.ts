// The name of the job that writes exports.

export const contentExportJob = 'content_export';
export const contentExportTag = 'content_export';
