/**
 * How git is run in a repository that may be anyone's: no setting of it starts a program or reaches for a remote, and no
 * lock is taken.
 */
export const UNLED_GIT: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'protocol.allow=never',
]
