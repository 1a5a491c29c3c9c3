// Opens the API reference on the page at /docs. Requests go straight to this host, with the caller's session or token, and to no other.
Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'token' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: false,
  documentDownloadType: 'json',
  operationTitleSource: 'summary',
});
