// Scopes of the services for tools (reference 06 §8).

const ags = 'https://purl.imsglobal.org/spec/lti-ags/scope';
export const ltiScopes = {
  lineitem: `${ags}/lineitem`,
  lineitemReadonly: `${ags}/lineitem.readonly`,
  result: `${ags}/result.readonly`,
  score: `${ags}/score`,
  roster: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
} as const;

export const gradeScopes: readonly string[] = [ltiScopes.lineitem, ltiScopes.lineitemReadonly, ltiScopes.result, ltiScopes.score];
/** What a tool may ask for. */
export const offeredScopes: readonly string[] = Object.values(ltiScopes);
