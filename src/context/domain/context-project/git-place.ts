import { AppError } from '../../../kernel/domain/errors.ts'
import { isPlainPath } from '../../../kernel/domain/plain-path.ts'

/** The git origin of a project's context. */
export interface GitPlace {
  /** Address without user name or password. */
  readonly address: string
  readonly branch: string
  /** Folder of the context project; empty for the whole repository. */
  readonly folder: string
}

const LONGEST = 1_000

/**
 * Parses a place. Throws `invalid_input` for values that git must not get; does not check whether access is allowed.
 */
export function readGitPlace({ address, branch, folder }: GitPlace): GitPlace {
  const inside = folder.trim().replaceAll(/^(?:\.?\/)+|\/+$/g, '')
  if (inside !== '' && inside !== '.' && !isPlainPath(inside))
    throw new AppError('invalid_input', 'The folder is not a path inside the repository.', {
      hint: 'Use a path from the repository root, e.g. analytics/context.',
    })
  return {
    address: readAddress(address.trim()),
    branch: readBranch(branch.trim()),
    folder: inside === '.' ? '' : inside,
  }
}

/** The host that may receive the secret of an address. */
export const hostOf = (address: string): string => ADDRESS.exec(address)?.[2] ?? ''

const ADDRESS = /^(https|file):\/\/((?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?|)(\/[^?#\\]*)$/i

function readAddress(text: string): string {
  const isPlain = text.length <= LONGEST && !/[\p{C}\s]/u.test(text)
  if (!isPlain || !/^(?:https|file):\/\//i.test(text))
    throw new AppError('invalid_input', 'A repository address must start with https://.', {
      hint: 'Use its https clone address; for a private repository add a token.',
    })
  if (/^[a-z]+:\/\/[^/]*@/i.test(text))
    throw new AppError('invalid_input', 'The address contains a name or password.', {
      hint: 'Remove them and pass the token separately.',
    })
  const [, scheme, host = '', path] = ADDRESS.exec(text) ?? []
  if (scheme === undefined || (scheme.toLowerCase() === 'https') === (host === ''))
    throw new AppError('invalid_input', 'That is not the address of a repository.', {
      hint: 'Use the clone address, without ? and #.',
    })
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${path}`
}

/**
 * Validates a branch name, more strictly than git: rejects everything that git reads as an option, a range or another
 * ref.
 */
function readBranch(text: string): string {
  if (
    text.length <= 200 &&
    /^[\p{L}\p{N}_][\p{L}\p{N}_./+@#=-]*$/u.test(text) &&
    !/\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[./]$/.test(text)
  )
    return text
  throw new AppError('invalid_input', 'That is not the name of a branch.', {
    hint: 'Use a git branch name, e.g. main.',
  })
}
