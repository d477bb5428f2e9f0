import { AppError } from '../../core/errors.ts'
import type { Origin } from '../../core/journal/event.ts'
import { assertMay, type Caller } from '../../core/team/may.ts'
import type { Permission } from '../../core/team/permission.ts'
import type { Context } from '../../ports/context.ts'
import type { Memory } from '../../ports/memory.ts'
import type { Projects, RegisteredProject } from '../../ports/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { TeamProjects } from '../../ports/team-projects.ts'
import { withoutFolders } from './team-memory.ts'

/** What all callers of a server share. */
export interface TeamParts extends Pick<Context, 'clock' | 'version' | 'redactor' | 'bundledEmbedder'> {
  readonly projects: TeamProjects
  permissionOf(operation: string): Permission | undefined
  openRecord(project: RegisteredProject): Store
  openPast(store: Store, asOf: string): Promise<Store>
  openMemory(project: RegisteredProject, person: string): Memory
}

export interface TeamCall {
  readonly caller: Caller
  readonly origin: Origin
  /** The caller's own, the one that the request names first. */
  readonly projects: Projects
}

/**
 * The context of one call on a team server. `call` asks `permit` first; a record is opened for an operation that was
 * permitted, and only where its caller may do it there.
 */
export function teamContext(parts: TeamParts, { caller, origin, projects }: TeamCall): Context {
  let permitted:
    | { readonly permission: Permission | undefined; readonly input: Readonly<Record<string, unknown>> }
    | undefined
  const assertIn = async (project: RegisteredProject | undefined): Promise<void> => {
    const standing = project && (await parts.projects.standing(caller.person, project.id))
    assertMay(caller, { permission: permitted?.permission, input: permitted?.input ?? {}, standing })
  }
  const find = (project: string | undefined) =>
    projects.find({ directory: '/', ...(project !== undefined && { project }) })
  /** A memory is one project's: where a search names another one as its workspace, that is meant. */
  const projectOf = async ({ project_id: id, workspace }: Readonly<Record<string, unknown>>) => {
    if (typeof id === 'string') return find(id)
    return (typeof workspace === 'string' ? await find(workspace) : undefined) ?? find(undefined)
  }
  const record = async (named: string | RegisteredProject | undefined): Promise<Store> => {
    const project = typeof named === 'object' ? named : await find(named)
    await assertIn(project)
    return parts.openRecord(project!)
  }
  const { clock, version, redactor, bundledEmbedder } = parts
  return {
    ...ofTheMachine(),
    ...withoutFolders,
    clock,
    version,
    redactor,
    bundledEmbedder,
    origin,
    user: caller.person,
    projects,
    async permit({ name }, input) {
      permitted = { permission: parts.permissionOf(name), input }
      await assertIn(await projectOf(input))
    },
    async memory() {
      const project = await projectOf(permitted?.input ?? {})
      await assertIn(project)
      return parts.openMemory(project!, caller.person)
    },
    record: async (named, at) => {
      const store = await record(named)
      return at?.asOf === undefined ? store : parts.openPast(store, at.asOf)
    },
  }
}

/** What a server has none of, or keeps from its callers: its disk, its terminal, its settings, its models. */
const ofTheMachine = (): Omit<
  Context,
  | 'clock'
  | 'version'
  | 'redactor'
  | 'bundledEmbedder'
  | 'origin'
  | 'user'
  | 'projects'
  | 'record'
  | 'permit'
  | 'memory'
  | keyof typeof withoutFolders
> => ({
  cwd: '/',
  launcher: [],
  stateEnvironment: {},
  workspaceRoots: () => [],
  grantedRoots: async () => [],
  optionalPackages: () => [],
  checkRoom: () => undefined,
  progress: () => undefined,
  repository: async () => undefined,
  repositoryHistory: async () => undefined,
  recipients: async () => [],
  files: nothing(),
  configFiles: nothing(),
  scout: nothing(),
  trust: nothing(),
  models: nothing(),
  modelKeys: nothing(),
  clients: nothing(),
  telemetry: { enabled: false, location: '', record: () => undefined, events: async () => [] },
  turns: nothing(),
  pathNamed: refuse,
  lostRecords: refuse,
  codeParser: refuse,
  parquet: refuse,
  upkeep: refuse,
  sharing: refuse,
  userService: refuse,
  contextProject: refuse,
  contextDefinitions: refuse,
  analystState: refuse,
  charts: refuse,
  pagePrinter: refuse,
  storyLease: refuse,
  apart: refuse,
  browsers: refuse,
  ownHome: refuse,
  modelShelf: refuse,
  graphViewer: refuse,
  openInBrowser: refuse,
})

const refuse = (): never => {
  throw new AppError('forbidden', 'A server has nothing of that.', { hint: 'Do this on your own machine.' })
}

/** Refuses whatever is asked of it. */
const nothing = <T extends object>(): T => new Proxy({} as T, { get: refuse })
