// What a file is called on the server while it is uploaded to take the place of another, where the server cannot check versions.

const uploading = /^carrel-upload-[0-9a-f]{8}-/;

/** Servers take the type of a file from the end of its name, and names of at most 255 characters. */
export const uploadingName = (name: string, id: string): string =>
  `carrel-upload-${id.replaceAll('-', '').slice(0, 8)}-${name.slice(-200)}`;

export const isUploading = (name: unknown): boolean => typeof name === 'string' && uploading.test(name);
