// Packaging: `npm run package` builds and packs the desk for the current system. Secrets come from the environment.

const { CARREL_UPDATES, CARREL_RELEASE, CARREL_TEST_BUILD, APPLE_API_KEY, APPLE_ID, AZURE_SIGNING_ENDPOINT } = process.env;

/**
 * Certificates are read by electron-builder itself: CSC_LINK and CSC_KEY_PASSWORD (macOS), WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD
 * (Windows) or the Azure names below; APPLE_API_KEY, APPLE_API_KEY_ID and APPLE_API_ISSUER notarise.
 * @type {import('electron-builder').Configuration}
 */
export default {
  appId: 'org.carrel.desk',
  productName: 'Carrel',
  copyright: 'MIT',
  directories: { output: 'dist/packages', buildResources: 'packaging' },
  // Everything the program needs is bundled; nothing of node_modules is shipped.
  files: ['dist/electron/**', 'dist/ui/**', 'package.json', '!**/node_modules/**', '!**/*.map'],
  extraMetadata: { name: 'carrel', main: 'dist/electron/main/main.js' },
  npmRebuild: false,
  asar: true,
  // Set before the program is signed. Only a test build allows remote debugging.
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: CARREL_TEST_BUILD === '1',
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  // A release must be signed.
  forceCodeSigning: CARREL_RELEASE === '1',
  // Static files in a bucket: `latest*.yml` beside the installers it lists. They are uploaded separately, never by this build.
  publish: CARREL_UPDATES ? [{ provider: 'generic', url: CARREL_UPDATES }] : null,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the packager fills it in
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  win: {
    target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
    ...(AZURE_SIGNING_ENDPOINT && {
      azureSignOptions: {
        endpoint: AZURE_SIGNING_ENDPOINT,
        certificateProfileName: process.env.AZURE_SIGNING_PROFILE,
        codeSigningAccountName: process.env.AZURE_SIGNING_ACCOUNT,
        publisherName: process.env.AZURE_SIGNING_PUBLISHER,
      },
    }),
  },
  nsis: { oneClick: true, perMachine: false, differentialPackage: true },
  mac: {
    category: 'public.app-category.education',
    target: [
      { target: 'dmg', arch: ['x64', 'arm64'] },
      { target: 'zip', arch: ['x64', 'arm64'] },
    ],
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'packaging/entitlements.mac.plist',
    entitlementsInherit: 'packaging/entitlements.mac.plist',
    notarize: Boolean(APPLE_API_KEY || APPLE_ID),
  },
  linux: {
    category: 'Education',
    synopsis: 'Read your courses and hand in work, online or offline',
    target: [
      { target: 'AppImage', arch: ['x64', 'arm64'] },
      { target: 'deb', arch: ['x64', 'arm64'] },
    ],
    executableName: 'carrel',
    maintainer: 'Carrel',
  },
};
