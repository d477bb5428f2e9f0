import type { ContextProject } from '../../context/ports/context-project.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Origin } from '../../kernel/domain/origin.ts'
import { isUlid } from '../../kernel/domain/project/config.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Memory } from '../../memory/ports/memory.ts'
import type { CallGuards, Context, Given } from '../../operations/context.ts'
import { AppliedAlready } from '../../record/domain/applied-already.ts'
import type { JournalEvent } from '../../record/domain/journal/event.ts'
import type { Store } from '../../record/ports/store.ts'
import { assertMay, type Caller } from '../../team/domain/may.ts'
import type { Permission } from '../../team/domain/permission.ts'
import type { Person } from '../../team/domain/person.ts'
import type { TeamDesk } from '../../team/ports/team-desk.ts'
import type { TeamNeeds } from '../../team/ports/team-needs.ts'
import type { TeamProjects } from '../../team/ports/team-projects.ts'
import type { CallerProjects } from './caller-projects.ts'
import type { TeamAnalyst } from './open-team-analyst.ts'
import { MEMORY_WITHOUT_FOLDERS } from './team-memory.ts'

/** Context of a call on a team server. */
export type ServerContext = CallGuards & Given<'record' | 'memory' | 'context' | 'analyst' | 'team'>

/** Dependencies shared by all callers of a server. */
export interface TeamParts extends Pick<Context, 'clock' | 'version' | 'redactor' | 'bundledEmbedder'> {
  readonly projects: TeamProjects
  readonly analyst: TeamAnalyst
  readonly desk: Omit<TeamDesk, 'caller' | 'concerns'>
  permissionOf(operation: string): Permission | undefined
  /** `event`: the event id of its first change, which is applied only once. */
  openRecord(project: RegisteredProject, event?: string): Store
  eventOf(project: string, id: string): Promise<JournalEvent | undefined>
  openPast(store: Store, asOf: string): Promise<Store>
  openMemory(project: RegisteredProject, person: string): Memory
}

export interface TeamCall {
  readonly caller: Caller
  readonly origin: Origin
  /** The caller's own projects, the one named in the request first. */
  readonly projects: CallerProjects
  /** Repeating a call with the same key changes the record only once. */
  readonly key?: string | undefined
  /** Receives the id of the affected person or thing. */
  concerns?(id: string): void
}

/**
 * Returns the context of one call on a team server. `call` checks `permit` first; a record is opened only for a
 * permitted operation, and only if its caller may do it there.
 */
export function teamContext(parts: TeamParts, { caller, origin, projects, key, concerns }: TeamCall): ServerContext {
  const find = (project: string | undefined) =>
    projects.find({ directory: '/', ...(project !== undefined && { project }) })
  /**
   * Resolves the project of a call. A memory belongs to one project: a search that names another project as its
   * workspace is for that project.
   */
  const projectOf = async ({ project_id: id, workspace }: Permitted['input']) => {
    if (typeof id === 'string') return find(id)
    return (typeof workspace === 'string' ? await find(workspace) : undefined) ?? find(undefined)
  }
  /** Access for a permitted operation; undefined without a permit. */
  const openFor = (permitted: Permitted | undefined) => {
    const assertIn = async (project: RegisteredProject | undefined): Promise<void> => {
      const standing = project && (await projects.standing(project.id))
      assertMay(caller, { permission: permitted?.permission, input: permitted?.input ?? {}, standing })
    }
    const permittedIn = async (named: string | RegisteredProject | undefined): Promise<RegisteredProject> => {
      const project = typeof named === 'object' ? named : await find(named)
      await assertIn(project)
      return project!
    }
    const record: Context['record'] = async (named, at) => {
      const store = withNames(parts.openRecord(await permittedIn(named), permitted?.event), () =>
        parts.desk.people.list(caller.organisation),
      )
      return at?.asOf === undefined ? store : parts.openPast(store, at.asOf)
    }
    const analyst = analystContext(parts.analyst, { person: caller.person, here: () => permittedIn(undefined) })
    const memory: Context['memory'] = async () =>
      parts.openMemory(await permittedIn(await projectOf(permitted?.input ?? {})), caller.person)
    return { assertIn, record, memory, analyst }
  }
  const permitting =
    (isInner: boolean): NonNullable<Context['permit']> =>
    async ({ name }, input) => {
      const project = await projectOf(input)
      const call = [project?.id, caller.person, key, name, input]
      const event = isInner || key === undefined ? undefined : eventId(call)
      const { assertIn, record, memory, analyst } = openFor({ permission: parts.permissionOf(name), input, event })
      await assertIn(project)
      const applied = event && project && (await parts.eventOf(project.id, event))
      if (applied) throw new AppliedAlready(applied)
      // A tool in a turn uses the turn's state.
      return isInner ? { record, memory } : { record, memory, ...analyst, permit: permitting(true) }
    }
  const { clock, version, redactor, bundledEmbedder } = parts
  const { record, memory, analyst } = openFor(undefined)
  return {
    ...CALL_WITHOUT_MACHINE,
    ...analyst,
    ...MEMORY_WITHOUT_FOLDERS,
    clock,
    version,
    redactor,
    bundledEmbedder,
    origin,
    user: caller.person,
    projects,
    record,
    memory,
    offers: (name) => parts.permissionOf(name) !== undefined,
    permit: permitting(false),
    team: { ...parts.desk, caller, concerns: (id) => concerns?.(id) },
  }
}

/** The journal has only ids of people; names are added on reading, so that a person's name can be erased. */
const withNames = (store: Store, people: () => Promise<readonly Person[]>): Store => ({
  ...store,
  async journal() {
    const [events, known] = [await store.journal(), new Map((await people()).map(({ id, name }) => [id, name]))]
    return events.map((event) => {
      const { user } = event.origin ?? {}
      if (user === undefined || !isUlid(user)) return event
      return { ...event, origin: { ...event.origin, user: known.get(user) ?? FORGOTTEN } }
    })
  },
})

const FORGOTTEN = 'a former member'

interface Permitted {
  readonly permission: Permission | undefined
  readonly input: Readonly<Record<string, unknown>>
  readonly event?: string | undefined
}

/** The event id for a call with a key, the same each time, in the form of a custom (version 8) UUID. */
function eventId(call: readonly unknown[]): string {
  const hex = sha256(JSON.stringify(call))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Stubs for folders and a terminal, which a call on a server does not have. */
const CALL_WITHOUT_MACHINE = {
  cwd: '/',
  stateEnvironment: {},
  workspaceRoots: () => [],
  checkRoom: () => undefined,
  progress: () => undefined,
  repository: async () => undefined,
  repositoryHistory: async () => undefined,
  graphViewer: async () => (await import('../graph-viewer.ts')).graphViewer(),
  telemetry: { enabled: false, location: '', record: () => undefined, events: async () => [] },
} satisfies Partial<Context>

type AnalystContext = Pick<
  Context,
  | 'analystState'
  | 'spent'
  | 'turns'
  | 'storyLease'
  | 'charts'
  | 'pagePrinter'
  | 'models'
  | 'modelKeys'
  | 'settings'
  | 'contextProject'
> &
  Pick<TeamNeeds, 'oversight'>

/**
 * The analyst's dependencies on a server. `here` returns the project of the call, and rejects callers without the
 * permission.
 */
function analystContext(
  analyst: TeamAnalyst,
  { person, here }: { readonly person: string; here(): Promise<{ readonly id: string }> },
): AnalystContext {
  const analystState: Context['analystState'] = async () => analyst.stateOf({ project: (await here()).id, person })
  // A question that began with one version of the context ends with the same version.
  let context: Promise<ContextProject> | undefined
  return {
    analystState,
    // Always the call's project: the caller must not learn the costs of other people or projects.
    async spent({ since, project }) {
      const { id } = await here()
      return analyst
        .stateOf('server')
        .calls.spent({ since, ...(project === undefined ? { user: person } : { project: id }) })
    },
    oversight: async () => analyst.oversightOf({ project: (await here()).id, person }),
    turns: analyst.turns.of(analystState),
    storyLease: (story) => analyst.leases.tryTake(`story ${story}`),
    charts: async () => (await import('../../analyst/chart/index.ts')).openEchartsPainter(),
    pagePrinter: async () => (await import('../../analyst/page-printer/index.ts')).pdfkitPrinter,
    models: analyst.models,
    settings: analyst.settings,
    modelKeys: { list: async () => ({ keys: [] }), set: ofTheServer, remove: ofTheServer },
    async contextProject(folder, texts) {
      const { id } = await here()
      if (texts !== undefined || (folder !== undefined && folder !== `/${id}`))
        throw new AppError('not_found', 'Not available on a team server.', {
          hint: 'Only an admin can set the context repository.',
        })
      return (context ??= analyst.contextOf(id))
    },
  }
}

const ofTheServer = async (): Promise<never> => {
  throw new AppError('forbidden', 'Server keys are set by the server’s operator.')
}
