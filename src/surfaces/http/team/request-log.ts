/** One JSON line of the log: the request and its outcome; never its contents, nor the URL as it was sent. */
export interface RequestLine {
  readonly at: string
  readonly request: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly person?: string
  readonly organisation?: string
}

const KNOWN =
  /^\/(?:mcp|openapi\.json|health|ready|device|account|setup|sign-(?:in|out)|sign-in\/[a-z]+|oauth\/[a-z]+|memory\/(?:open|held|send|remove|finish|withdraw|list)|v1\/[a-z_]+|\.well-known\/[a-z-]+(?:\/mcp)?)$/

const SCIM = /^\/scim\/v2(\/(?:Users|Groups|Schemas|ResourceTypes|ServiceProviderConfig))(\/[^/]+)?$/

const RECORD = /^\/v1\/team\/records\/[^/]+((?:\/(?:manifest|lines|texts|push|news))?)$/

/**
 * The route of a path, from a closed list: an unknown path may contain anything, including a secret. `isOperation`
 * tests names below `/v1`.
 */
export function routeOf(path: string, isOperation: (name: string) => boolean): string {
  const record = RECORD.exec(path)
  if (record !== null) return `/v1/team/records/:project${record[1]}`
  const scim = SCIM.exec(path)
  if (scim !== null) return `/scim/v2${scim[1]}${scim[2] === undefined ? '' : '/:id'}`
  const [, hook] = /^\/hooks\/(slack|teams)\/[^/]+$/.exec(path) ?? []
  if (hook !== undefined) return `/hooks/${hook}/:project`
  if (/^\/hooks\/git\/[^/]+$/.test(path)) return '/hooks/git/:project'
  if (!KNOWN.test(path)) return 'other'
  return path.startsWith('/v1/') && !isOperation(path.slice('/v1/'.length)) ? 'other' : path
}
