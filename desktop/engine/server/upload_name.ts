// The temporary name of an upload that will replace another file, on a server that cannot check versions.

const uploading = /^carrel-upload-[0-9a-f]{8}-/;

/** Servers derive the type of a file from the extension, and accept names of at most 255 characters. */
export const uploadingName = (name: string, id: string): string =>
  `carrel-upload-${id.replaceAll('-', '').slice(0, 8)}-${name.slice(-200)}`;

export const isUploading = (name: unknown): boolean => typeof name === 'string' && uploading.test(name);
