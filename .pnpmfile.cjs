// The npm packages that carry Node name their system as a word, which pnpm reads only as a list: without this it would install all five.
const isNode = (name) => /^node-(bin-)?(darwin|linux|win)-/.test(name);
const asList = (given) => (typeof given === 'string' ? [given] : given);

// The API reference is served as the one file that its package holds ready; what that file was made from is not needed.
const isBundled = (name) => name === '@scalar/api-reference';

const readPackage = (manifest) => {
  if (isNode(manifest.name)) return { ...manifest, os: asList(manifest.os), cpu: asList(manifest.cpu) };
  if (isBundled(manifest.name)) return { ...manifest, dependencies: {} };
  return manifest;
};

module.exports = { hooks: { readPackage } };
