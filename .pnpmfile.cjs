// The npm packages that carry Node name their system as a word, which pnpm reads only as a list: without this it would install all five.
const isNode = (name) => /^node-(bin-)?(darwin|linux|win)-/.test(name);
const asList = (given) => (typeof given === 'string' ? [given] : given);

module.exports = {
  hooks: {
    readPackage: (manifest) => (isNode(manifest.name) ? { ...manifest, os: asList(manifest.os), cpu: asList(manifest.cpu) } : manifest),
  },
};
