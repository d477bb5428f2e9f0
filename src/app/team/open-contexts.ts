import type { JudgedReach } from '../../context/domain/context-project/reach.ts'
import type { ContextCheckouts } from '../../context/ports/context-checkouts.ts'
import type { ContextVersions } from '../../context/ports/context-origins.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { AppError } from '../../kernel/domain/errors.ts'

export interface OpenContexts {
  /** The active context of a project. Throws `not_found` if it has none. */
  of(project: string): Promise<ContextProject>
  /** Lists what the context accesses beyond its files, and whether this server allows it. */
  reach(project: string): Promise<readonly JudgedReach[]>
  close(): Promise<void>
}

export interface OpenContextsParts {
  readonly versions: ContextVersions
  readonly checkouts: ContextCheckouts
  open(project: string, folder: string): Promise<ContextProject>
  /** Current time in milliseconds. */
  now(): number
}

// Change notifications arrive immediately; this covers a lost one.
const ASK_AGAIN_MS = 10_000
// A replaced version stays open for this long: a question that began with a version ends with it.
const LINGER_MS = 15 * 60_000
const MOST_OPEN = 20
// Bounds disk use by a caller that pushes and queries without a pause.
const MOST_LINGERING = 20
const MOST_LINGERING_OF_ONE = 2

interface Opened {
  readonly project: string
  readonly opening: Promise<ContextProject>
  lingers?: NodeJS.Timeout | undefined
}

/** Opens versions of contexts on this replica, the newest active one of each project. */
export async function openContexts(parts: OpenContextsParts): Promise<OpenContexts> {
  const { versions, checkouts, now } = parts
  const asked = new Map<string, { readonly at: number; readonly version: Promise<string | undefined> }>()
  const opened = new Map<string, Opened>()
  const news = await versions.listen((project) => (project === undefined ? asked.clear() : void asked.delete(project)))
  const currentOf = (project: string): Promise<string | undefined> => {
    const known = asked.get(project)
    if (known !== undefined && now() - known.at < ASK_AGAIN_MS) return known.version
    const asking = { at: now(), version: versions.current(project) }
    asked.set(project, asking)
    // A first context is available as soon as it is pulled, even before its notification arrives.
    const forget = () => asked.get(project) === asking && asked.delete(project)
    asking.version.then((version) => version === undefined && forget(), forget)
    if (asked.size > 10 * MOST_OPEN) asked.delete(asked.keys().next().value!)
    return asking.version
  }
  const end = async (key: string): Promise<void> => {
    const one = opened.get(key)
    if (one === undefined) return
    clearTimeout(one.lingers)
    opened.delete(key)
    const gone = await one.opening.catch(() => undefined)
    await gone?.close().catch(() => undefined)
    if (gone !== undefined) await checkouts.drop(gone.root)
  }
  const retire = (key: string, one: Opened): void => {
    one.lingers ??= setTimeout(() => void end(key), LINGER_MS).unref()
  }
  const endSurplus = (): void => {
    const lingering = [...opened].filter(([, { lingers }]) => lingers !== undefined).toReversed()
    for (const [at, [key, { project }]] of lingering.entries()) {
      const newer = lingering.slice(0, at).filter(([, one]) => one.project === project).length
      if (at >= MOST_LINGERING || newer >= MOST_LINGERING_OF_ONE) void end(key)
    }
  }
  const openedAs = (project: string, version: string): Promise<ContextProject> => {
    const key = `${project} ${version}`
    const there = opened.get(key)
    clearTimeout(there?.lingers)
    const one: Opened = there ?? { project, opening: opening(parts, project, version) }
    one.lingers = undefined
    // Moved to the end: the first entry is the least recently used.
    opened.delete(key)
    opened.set(key, one)
    if (there === undefined) one.opening.catch(() => end(key))
    const current = [...opened].filter(([, { lingers }]) => lingers === undefined)
    for (const [at, [other, { project: of }]] of current.entries())
      if (other !== key && (of === project || at < current.length - MOST_OPEN)) retire(other, opened.get(other)!)
    endSurplus()
    return one.opening
  }
  const here = async (project: string): Promise<ContextProject> => {
    const version = await currentOf(project)
    if (version === undefined) throw noContext()
    return openedAs(project, version).catch(async (thrown: unknown) => {
      // The version may have been replaced twice since the request, and its files removed.
      asked.delete(project)
      const now = await currentOf(project)
      if (now === version) throw thrown
      if (now === undefined) throw noContext()
      return openedAs(project, now)
    })
  }
  return {
    of: async (project) => asSeen(await here(project), project),
    reach: async (project) => (await here(project)).reach(),
    async close() {
      await news.close()
      await Promise.all([...opened.keys()].map(end))
      await checkouts.close()
    },
  }
}

const noContext = (): AppError =>
  new AppError('not_found', 'This project has no context.', {
    hint: 'A project admin can set its git repository in the settings, or see there why none is active.',
  })

async function opening(
  { versions, checkouts, open }: OpenContextsParts,
  project: string,
  version: string,
): Promise<ContextProject> {
  return open(project, await checkouts.make(version, versions.files(project, version)))
}

/**
 * Shows a context under a stable name, independent of version and server location: stories and chats are stored by it.
 */
const asSeen = (context: ContextProject, project: string): ContextProject => ({
  ...context,
  root: `/${project}`,
  places: () => [],
  warehouse: (name) => context.warehouse(name).catch(ofTheServer),
  close: async () => undefined,
})

const ofTheServer = (thrown: unknown): never => {
  if (thrown instanceof AppError && thrown.code === 'forbidden' && thrown.hint?.includes('ken trust') === true)
    throw new AppError('forbidden', thrown.message, {
      hint: 'The server’s operator must allow it; context_git shows how.',
    })
  throw thrown
}
