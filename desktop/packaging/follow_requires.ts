// A step of every build: bundlers do not follow `createRequire`, which the sources use to load a package with its first use.

const loaded = /createRequire\(import\.meta\.url\)\((['"][^'"]+['"])\)/g;

/** A plugin of Vite: the package becomes a part of the bundle, and is still evaluated with its first use. */
export const followRequires = () => ({
  name: 'follow-requires',
  // Before the compiler, so that it sees the sources as they are written.
  enforce: 'pre' as const,
  transform: (code: string): string | undefined => (code.includes('createRequire') ? code.replaceAll(loaded, 'require($1)') : undefined),
});
