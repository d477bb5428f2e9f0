/** A parsed and decoded database address. */
export interface AddressParts {
  readonly scheme: string
  readonly user: string
  readonly password: string
  readonly host: string
  readonly port: number | undefined
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** Parses an address; undefined if the text is not one with two slashes. A password may contain an unescaped `@`. */
export function addressParts(address: string): AddressParts | undefined {
  const [, scheme, login, host, path, query] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:([^\s/?#]*)@)?([^\s/?#@]*)([^?#]*)(?:\?([^#]*))?/i.exec(address) ?? []
  if (scheme === undefined || host === undefined) return undefined
  const [, name = host, port] = /^(.*):(\d{1,5})$/.exec(host) ?? []
  const colon = login?.indexOf(':') ?? -1
  return {
    scheme: scheme.toLowerCase(),
    user: decoded(login === undefined ? '' : colon < 0 ? login : login.slice(0, colon)),
    password: decoded(login === undefined || colon < 0 ? '' : login.slice(colon + 1)),
    host: decoded(name),
    port: port === undefined ? undefined : Number(port),
    path: (path ?? '')
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: Object.fromEntries(
      (query ?? '')
        .split('&')
        .filter((pair) => pair.includes('='))
        .map((pair) => [decoded(pair.slice(0, pair.indexOf('='))), decoded(pair.slice(pair.indexOf('=') + 1))]),
    ),
  }
}

/** Returns the safe part of an address: the target, without user, password or parameters. */
export function addressShown(address: string): string | undefined {
  const parts = addressParts(address)
  if (parts === undefined) return undefined
  const { scheme, host, port, path } = parts
  return `${scheme}://${host}${port === undefined ? '' : `:${port}`}${path.length === 0 ? '' : `/${path.join('/')}`}`
}

/**
 * Converts the parts of an address to database fields, as drivers and SQLAlchemy write them:
 * `snowflake://user:password@account/database/schema?warehouse=W`.
 */
export function addressFields(address: string, fields: readonly string[]): Readonly<Record<string, unknown>> {
  const parts = addressParts(address)
  if (parts === undefined) return {}
  const found: Record<string, unknown> = {}
  const put = (names: readonly string[], value: unknown): void => {
    const name = names.find((one) => fields.includes(one) && found[one] === undefined)
    if (name !== undefined && value !== '' && value !== undefined) found[name] = value
  }
  for (const [name, value] of Object.entries(parts.query)) put([name], value)
  if (fields.includes('host') || !fields.includes('url')) {
    put(['host', 'account', 'project', 'region'], parts.host)
    put(['port'], parts.port)
  } else put(['url'], `http://${parts.host}${parts.port === undefined ? '' : `:${parts.port}`}`)
  put(['user'], parts.user)
  put(['password', 'token'], parts.password)
  put(['database', 'catalog', 'dataset'], parts.path[0])
  put(['schema'], parts.path[1])
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
