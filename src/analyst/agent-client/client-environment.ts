import { delimiter, dirname } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

// Variables that any program needs to find its files, its user's keyring and the network.
const EVERY = new Set(
  [
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP',
    'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS',
    'XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE PROGRAMDATA PROGRAMFILES',
  ].flatMap((names) => names.split(' ')),
)

/**
 * The part of Ken's environment that a client needs to run and to log in. Excludes database passwords, keys of other
 * services, and variables set by a client that Ken itself runs inside of.
 */
export function clientEnvironment(environment: Environment, isOwn: (name: string) => boolean): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]) => {
    const upper = name.toUpperCase()
    const isKept = EVERY.has(upper) || upper.startsWith('LC_') || isOwn(name)
    return value !== undefined && isKept ? [[name, value] as const] : []
  })
  const found = Object.fromEntries(kept)
  // A client that is a script needs a Node; Ken runs on one.
  const path = [found['PATH'], dirname(process.execPath)].filter(Boolean).join(delimiter)
  return { ...found, PATH: path, TERM: 'dumb', NO_COLOR: '1' }
}
