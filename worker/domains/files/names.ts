// File names from untrusted input, kept as given whenever possible (reference 02 §8.6).

/** Maximum length of a display name; PUT rejects names over 255 characters. */
const longest = 1000;

const splitName = (name: string): [stem: string, extension: string] => {
  const extension = /(?<=.)((?:\.tar)?\.[^./\\\s]{1,20})$/.exec(name)?.[1] ?? '';
  return [name.slice(0, name.length - extension.length), extension];
};

/** Shortens a name but keeps the extension and whole characters. */
function shortened(name: string, length: number): string {
  if (name.length <= length) return name;
  const [stem, extension] = splitName(name);
  return `${stem.slice(0, length - extension.length)}${extension}`.toWellFormed();
}

/** The display name: well-formed, without control characters, never blank. `/` and `\` are allowed. */
export function displayName(given: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  const written = given.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, '');
  return written.trim() === '' ? 'untitled' : shortened(written, longest);
}

const escaped = (text: string) =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** The stored name: URL-escaped, spaces as `+`, at most about 180 characters. */
export function storedName(display_name: string): string {
  const [stem, extension] = splitName(display_name);
  const end = escaped(extension);
  let kept = '';
  for (const char of stem) {
    const next = kept + escaped(char);
    if (next.length + end.length > 180) break;
    kept = next;
  }
  return kept + end;
}

/** Candidate names for a file, best first: `a.txt`, `a-1.txt` … `a-7.txt`, then a unique one. */
export function namesInTurn(display_name: string, unique: string): string[] {
  const [stem, extension] = splitName(display_name);
  return [display_name, ...[1, 2, 3, 4, 5, 6, 7, unique].map((suffix) => `${stem}-${suffix}${extension}`)];
}

/** In place of a name that a student has chosen, which may contain the student's own. */
export const anonymousName = ({ id, filename }: { readonly id: number; readonly filename: string }): string =>
  `file_${id}${/\.[a-z0-9]{1,8}$/i.exec(filename)?.[0].toLowerCase() ?? ''}`;
