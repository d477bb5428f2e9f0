/** Why a project path is never shown to an agent, whatever `.kenignore` contains; undefined if it may be shown. */
export function protectedReason(path: string): string | undefined {
  const parts = path.split('/')
  if (/^ken\.ya?ml$/i.test(path)) return 'it is the configuration'
  if (/^agent\/mcps\//i.test(path)) return 'it is the configuration of MCP servers'
  if (parts[0]?.toLowerCase() === 'tests') return TESTS_REASON
  if (parts.some((part) => /^\.(?:git|ken)$/i.test(part))) return 'it belongs to git or to Ken'
  if (parts.some((part) => /^\.env(?:\..*)?$|^\.envrc$/i.test(part))) return 'environment files hold secrets'
  if (parts.some((part) => /^\.(?:ssh|aws|gnupg|kube|docker|azure)$/i.test(part))) return 'the folder holds secrets'
  return SECRET_FILES.test(parts.at(-1) ?? '') ? 'files of this name hold secrets' : undefined
}

export const TESTS_REASON = 'tests hold the expected answers'

const SECRET_FILES =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_.*)?|\.(?:npmrc|netrc|pgpass|pypirc|htpasswd|git-credentials|my\.cnf)|credentials(?:\.json|\.ya?ml)?|service[-_]?account.*\.json|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg))$/i
