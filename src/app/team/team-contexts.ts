import { join, normalize } from 'node:path'
import { besideCheckout, openContextCheckouts } from '../../context/adapters/disk-context-checkouts.ts'
import { openYamlTrust } from '../../context/adapters/yaml-trust.ts'
import { openContextFolder } from '../../context/context-folder/index.ts'
import { openContextOrigins } from '../../context/context-origins/origins.ts'
import { openContextVersions } from '../../context/context-origins/versions.ts'
import type { Granted } from '../../context/domain/context-project/trust.ts'
import { openGitTrees } from '../../context/git-trees/index.ts'
import type { ContextFolder } from '../../context/ports/context-folder.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import type { TrustRecord } from '../../context/ports/trust-record.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { Jobs } from '../../kernel/ports/jobs.ts'
import type { Settings } from '../../kernel/ports/settings.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { openSeals } from '../../kernel/system/seals.ts'
import type { GitHookDoor } from '../../surfaces/http/team/git-hooks.ts'
import type { TeamContexts } from '../../team/ports/team-contexts.ts'
import { hookOf, pullContext, versionOf } from '../../team/pull-context.ts'
import { openContext } from '../open-context.ts'
import { contextDefinitions } from '../providers.ts'
import type { JobHandler } from '../run-jobs.ts'
import type { Environment } from '../settings.ts'
import { openContexts, type OpenContexts } from './open-contexts.ts'

export interface ServedContexts {
  readonly desk: TeamContexts
  readonly hooks: GitHookDoor
  readonly of: OpenContexts['of']
  readonly pull: JobHandler
  /** Queues pulls that are due. */
  due(): Promise<void>
  close(): Promise<void>
}

interface Given {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly settings: Settings
  readonly environment: Environment
}

const MOST_DUE = 100

/** The contexts of a team's projects, from the git repositories that admins name. */
export async function openTeamContexts(database: SqlDatabase, given: Given): Promise<ServedContexts> {
  const { clock, jobs, environment } = given
  const [origins, versions] = [openContextOrigins(database), openContextVersions(database)]
  const key = environment['KEN_SECRET_KEY'] ?? ''
  const seals = key === '' ? undefined : openSeals(key)
  const trees = openGitTrees({
    hosts: (environment['KEN_GIT_HOSTS'] ?? '').split(',').flatMap((host) => host.trim() || []),
    authorities: environment['KEN_GIT_CA'] || undefined,
    allowsFiles: environment['KEN_GIT_FILES'] === '1',
    path: environment['PATH'],
  })
  const rules = once(contextDefinitions)
  const pullSoon = (project: string): Promise<void> =>
    jobs.put(project, [{ kind: 'context-pull', key: 'context', payload: {} }])
  const grantedTo = grants(environment['KEN_CONTEXT_TRUST'])
  const contexts = await openContexts({
    versions,
    checkouts: openContextCheckouts(versionOf),
    open: (project, folder) => openServed(given, folder, () => grantedTo(project)),
    now: () => performance.now(),
  })
  return {
    desk: { origins, trees, seals, pullSoon, reach: contexts.reach },
    hooks: {
      async find(project) {
        const hooked = await origins.hooked(project)
        return hooked && seals && { secret: seals.open(hooked.hook, hookOf(project)), branch: hooked.branch }
      },
      pullSoon,
    },
    of: contexts.of,
    pull: ({ project }, signal) => pullContext({ origins, versions, trees, seals, clock, rules }, project, signal),
    async due() {
      for (const project of await origins.due(clock.now().toISOString(), MOST_DUE)) await pullSoon(project)
    },
    close: contexts.close,
  }
}

/**
 * Opens a context as untrusted: it accesses only resources that the operator allowed, with exactly the allowed wording.
 */
async function openServed(
  { environment, settings }: Given,
  folder: string,
  granted: () => Granted,
): Promise<ContextProject> {
  const own = besideCheckout(folder)
  const projects = await openContext({
    environment: variablesIn(granted(), environment),
    cache: join(own, 'cache'),
    state: join(own, 'state'),
    trust: {
      list: () => [],
      find: (root) => ({ root, at: '', granted: granted() }),
      grant: refuse,
      extend: refuse,
      revoke: refuse,
    },
    settings,
    openFolder: openCheckout,
  })
  const opened = await projects.around(folder)
  return { ...opened, toolServers: { ...opened.toolServers, tools: async () => ({ tools: [], problems: [] }) } }
}

/**
 * Opens a checkout so that the author of a ken.yaml cannot find out whether a server file exists, where its links lead,
 * or which folder a replica uses for checkouts. That folder differs between replicas, and a grant must apply to all of
 * them.
 */
function openCheckout(folder: string): ContextFolder {
  const opened = openContextFolder(folder)
  return {
    ...opened,
    outside: (path) => (opened.outside(path) === undefined ? undefined : normalize(path)),
    missing: (path) => (opened.outside(path) === undefined ? opened.missing(path) : undefined),
  }
}

const refuse = (): never => {
  throw new AppError('forbidden', 'What a context may reach is set by the server’s operator.')
}

/** Returns the grants by project, from a file in the format of `ken trust`; none without a file. Reread each time. */
function grants(path: string | undefined): (project: string) => Granted {
  if (!path) return () => ({})
  const trust: Pick<TrustRecord, 'find'> = openYamlTrust(path)
  return (project) => trust.find(project)?.granted ?? {}
}

/** Returns the variables that a context was allowed, and no others of the server. */
function variablesIn(granted: Granted, environment: Environment): Record<string, string | undefined> {
  const names = Object.values(granted)
    .flat()
    .flatMap((line) => /^take (\w+) from the environment$/.exec(line)?.[1] ?? [])
  return Object.fromEntries(names.map((name) => [name, environment[name]]))
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
