const settings = (...all: readonly string[]): readonly string[] => all.flatMap((one) => ['-c', one])

/**
 * A clone that left objects behind would fetch each, by whatever program its configuration names. What is said of one
 * protocol counts before what is said of all, so each is named.
 */
export const NO_TRANSPORT = settings(
  ...['', '.ext', '.fd', '.file', '.ftp', '.ftps', '.git', '.http', '.https', '.ssh'].map(
    (name) => `protocol${name}.allow=never`,
  ),
)

/** Neither a hook nor a watcher of files is started, whoever set it. */
export const NO_HOOKS = settings('core.fsmonitor=false', 'core.hooksPath=/dev/null')

/**
 * How git is run in a repository that may be anyone's: no setting of it starts a program or reaches for a remote, and no
 * lock is taken.
 */
export const UNLED_GIT: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  ...NO_HOOKS,
  ...NO_TRANSPORT,
]
