import { homedir, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openConfigFiles } from '../context/adapters/disk-config-files.ts'
import { openDiskDiscovery } from '../context/adapters/disk-discovery.ts'
import { openYamlTrust } from '../context/adapters/yaml-trust.ts'
import type { ContextProjects } from '../context/open-project.ts'
import type { ContextProject, ProposedTexts } from '../context/ports/context-project.ts'
import { unknownName } from '../kernel/domain/close-match.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { absentError } from '../kernel/domain/project/disconnected.ts'
import { secretRedactor } from '../kernel/domain/secrets/redact.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Projects, RegisteredProject } from '../kernel/ports/projects.ts'
import type { ProjectRef } from '../kernel/ports/projects.ts'
import { openProjectFiles } from '../kernel/projects/index.ts'
import { systemClock } from '../kernel/system/clock.ts'
import { diskFiles } from '../kernel/system/files.ts'
import { freeSpace } from '../kernel/system/free-space.ts'
import { withGitAllowance } from '../kernel/system/git-patience.ts'
import { optionalPackages } from '../kernel/system/optional-package.ts'
import { openYamlSettings } from '../kernel/system/settings.ts'
import { openTelemetryLog } from '../kernel/system/telemetry.ts'
import { openUseLog } from '../memory/adapters/files-use-log.ts'
import { openGitWorkspaces } from '../memory/adapters/git-workspaces.ts'
import { openYamlCollections } from '../memory/adapters/yaml-collections.ts'
import type { Memory } from '../memory/ports/memory.ts'
import type { UserService } from '../memory/ports/user-service.ts'
import { checkRoom } from '../memory/storage-limits.ts'
import type { Context } from '../operations/context.ts'
import type { LostRecords } from '../record/ports/lost-records.ts'
import type { Store } from '../record/ports/store.ts'
import { CATALOGUE } from '../retrieval/domain/embedding/catalogue.ts'
import type { ModelRegistry } from '../retrieval/ports/model-registry.ts'
import { openClientFiles } from '../setup/client-files/index.ts'
import type { SetupNeeds } from '../setup/ports/setup-needs.ts'
import type { LeftoversParts } from './find-leftovers.ts'
import { kenHome, nauroHome } from './homes.ts'
import { launcherCommand } from './launcher.ts'
import { loadKeychain } from './load-keychain.ts'
import { openModelKeys } from './model-keys.ts'
import { openAnalyst } from './open-analyst.ts'
import { openCodeParser } from './open-code-parser.ts'
import { modelsFolder, openEmbedders } from './open-embedders.ts'
import { openMemory } from './open-memory.ts'
import { openModels } from './open-models.ts'
import { openPastRecords } from './open-past.ts'
import { openTeams, type Teams } from './open-teams.ts'
import { openUpkeep } from './open-upkeep.ts'
import { ownHome } from './own-home.ts'
import { SETTINGS, type Environment } from './settings.ts'
import { openStartLog } from './start-log.ts'
import { VERSION } from './version.ts'
import { grantedRoots, workspaceRoots } from './workspace-roots.ts'

/** The caller, its place, and how to report to it and prompt it. */
export type Caller = Pick<
  Context,
  'origin' | 'cwd' | 'signal' | 'confirm' | 'ask' | 'editText' | 'pipe' | 'hear' | 'turn'
> &
  Partial<Pick<Context, 'progress'>> & {
    /** The project that the caller named, if not determined by its directory. */
    readonly project?: string | undefined
    /** Folder in which the user started the server. */
    readonly startedIn?: string | undefined
  }

export interface Ken {
  /** A context for one caller; its stores and models are shared and opened on first use. */
  context(caller: Caller): Context
  readonly home: string
  /** The first opened record in a repository; undefined if there was none. */
  carried(): ProjectRef | undefined
  readonly teams: Teams
  close(): Promise<void>
}

/** Composes the parts. Opens only the parts that the current call needs. */
export function openKen(environment: Environment, warn: (message: string) => void, clock: Clock = systemClock): Ken {
  const home = resolve(kenHome(environment))
  ownHome(home, warn)
  const settings = openYamlSettings({
    path: join(home, 'config.yml'),
    definitions: SETTINGS,
    environment,
    warn: once(warn),
  })
  const projects = openProjectFiles({ home, nauroHome: resolve(nauroHome(environment)), clock })
  const telemetry = openTelemetryLog(join(home, 'telemetry.jsonl'), settings.get('telemetry.log').value === true, clock)
  const clients = openClientFiles({
    home: environment['HOME'] ?? homedir(),
    platform: platform(),
    env: environment,
    backups: join(home, 'backups'),
    now: clock.now,
    isKept: async (path) => (await import('../record/repository/is-kept.ts')).isKept(path),
    isTracked: async (path) => (await repositoryAround(dirname(path)))?.isTracked(path) ?? false,
  })
  const stores = new Map<string, Promise<Store>>()
  const settled = new Map<string, string[]>()
  const embedders = openEmbedders({ home, settings, environment, clock })

  const collections = openYamlCollections(join(home, 'config.yml'))
  const modelKeys = openModelKeys(environment, loadKeychain(home))
  const named = openModels(settings, environment, modelKeys)
  const models = { ...named, embedder: embedders.chosen }
  const uses = openUseLog(join(home, 'used.jsonl'), clock.now)
  let memory: Promise<Memory> | undefined
  const loadMemory = () =>
    (memory ??= openMemory({
      home,
      projects,
      collections,
      settings,
      embedder: embedders.chosen,
      quickEmbedder: embedders.quick,
      models,
      uses,
      warn,
    }))

  const loadModelShelf = async (): Promise<ModelRegistry> => {
    const [{ openNpmModels }, { npmRegistry }] = await Promise.all([
      import('../retrieval/model-registry/index.ts'),
      import('../retrieval/model-registry/npm-registry.ts'),
    ])
    return openNpmModels({
      folder: modelsFolder(home),
      catalogue: CATALOGUE,
      registry: async () => String(settings.get('models.registry').value) || npmRegistry(),
      clock,
    })
  }

  let upkeep: ReturnType<typeof openUpkeep> | undefined
  const userHome = environment['HOME'] ?? homedir()
  const workspaces = openGitWorkspaces({ userHome })
  const loadUpkeep = () => (upkeep ??= openUpkeep({ home, userHome, projects, workspaces, uses }))

  const loadUserService = async (): Promise<UserService> => {
    const [{ openUserService }, { post }] = await Promise.all([import('./open-user-service.ts'), loadUpkeep()])
    const launcher = launcherCommand(environment)
    return openUserService({ home, userHome, environment, launcher, post, platform: platform() })
  }

  const setUp = { clients, ...openUndo({ home, modelKeys, userService: loadUserService }) }
  const parser = openCodeParser()
  const trust = openYamlTrust(join(home, 'trusted.yaml'))
  const configFiles = openConfigFiles(join(home, 'contexts'))
  const scout = openDiskDiscovery(environment)
  let contextProjects: Promise<ContextProjects> | undefined
  const loadContextProject = async (cwd: string, texts?: ProposedTexts): Promise<ContextProject> => {
    contextProjects ??= import('./open-context.ts').then(({ openContext }) =>
      openContext({
        environment,
        cache: join(home, 'cache', 'context'),
        state: join(home, 'contexts'),
        trust,
        settings,
      }),
    )
    return (await contextProjects).around(cwd, texts)
  }

  const loadLostRecords = async (): Promise<LostRecords> => {
    const { openLostRecords } = await import('../record/lost-records/index.ts')
    const usual = join(environment['HOME'] ?? homedir(), '.ken')
    const otherHomes = [usual, resolve(nauroHome(environment))].filter((other) => other !== home)
    return openLostRecords({ home, otherHomes, clock })
  }

  const openRecord = (project: RegisteredProject): Promise<Store> => {
    // A record that becomes trusted while a server runs is reopened as trusted.
    const key = `${project.location}\n${project.fromClone === true}`
    const known = stores.get(key)
    if (known !== undefined) return known
    const opening = Promise.all([
      import('../record/store/files/index.ts'),
      import('../retrieval/vectors/index.ts'),
    ]).then(([{ openFileStore }, { openVectorScan }]) =>
      openFileStore({
        root: project.location,
        project,
        cacheDir: join(home, 'cache'),
        stateDir: join(home, 'records'),
        clock,
        embedder: embedders.bundled,
        scan: openVectorScan,
        told: (line) => settled.set(project.location, [...(settled.get(project.location) ?? []), line]),
      }),
    )
    stores.set(key, opening)
    opening.catch(() => stores.delete(key))
    return opening
  }

  const teams = openTeams({ home, environment, projects, clock, redactor: secretRedactor, settings, openRecord })

  const analyst = openAnalyst(home, environment)

  const past = openPastRecords({ clock, embedder: embedders.bundled })

  let carried: ProjectRef | undefined
  return {
    home,
    carried: () => carried,
    teams,
    context: ({ cwd, progress, project: named, startedIn, ...caller }) => {
      const heard: string[] = []
      /** Opens a record. The first caller gets its repair messages; a person gets them on standard error. */
      const opened = async (project: RegisteredProject): Promise<Store> => {
        const store = teams.heard(await openRecord(project), project)
        if (project.mode === 'repo') carried ??= project
        const lines = settled.get(project.location) ?? []
        settled.delete(project.location)
        if (caller.origin.surface === 'cli') for (const line of lines) warn(line)
        else heard.push(...lines)
        return store
      }
      const present = async (project: string | RegisteredProject | undefined): Promise<Store> => {
        if (typeof project === 'object') {
          if (project.absence === 'unstarted') await projects.started(project.id)
          return opened(project)
        }
        const query = { directory: cwd, ...(project === undefined ? {} : { project }) }
        const found = await namedFirst(projects, named).find(query)
        if (found === undefined) throw await noProject(projects, project)
        if (found.absence !== undefined) throw absentError({ ...found, absence: found.absence })
        return opened(found)
      }
      return {
        ...caller,
        clock,
        version: VERSION,
        cwd,
        pathNamed: (path) =>
          /^~(?:[/\\]|$)/.test(path)
            ? resolve(environment['HOME'] ?? homedir(), `.${path.slice(1)}`)
            : resolve(cwd, path),
        projects: namedFirst(projects, named),
        settings,
        checkRoom: () => checkRoom({ settings, freeSpace: () => freeSpace(home) }),
        telemetry,
        files: diskFiles,
        parquet: async () => (await import('../context/warehouse/duckdb/parquet-writer.ts')).duckdbParquet,
        redactor: secretRedactor,
        memory: loadMemory,
        upkeep: loadUpkeep,
        userService: loadUserService,
        lostRecords: loadLostRecords,
        teamLinks: teams.links,
        // A page searches while a person types, and shows local results only.
        teamMemory: caller.origin.surface === 'app' ? undefined : teams.memory,
        collections,
        sharing: async () => {
          const [{ openSharing }, { openLogins }] = await Promise.all([
            import('./open-sharing.ts'),
            import('./auth/open-logins.ts'),
          ])
          return openSharing(home, environment, openLogins(home))
        },
        workspaceRoots: () => workspaceRoots(cwd),
        workspaces,
        grantedRoots: () => grantedRoots({ startedIn, projects, userHome }),
        contextDefinitions: loadContextDefinitions,
        contextProject: (folder, texts) => loadContextProject(resolve(cwd, folder ?? '.'), texts),
        configFiles,
        scout,
        trust,
        models,
        ...analyst.context,
        bundledEmbedder: embedders.bundled,
        recipients: async () => (await import('./recipients.ts')).recipients({ settings, projects, ...modelKeys }),
        browsers: async () => (await import('./running-app.ts')).browsersOfRunningApp(home),
        waitingChanges: async () => (await import('./running-app.ts')).changesOfRunningApp(home),
        ownHome: async () => (await import('../kernel/home/own-home.ts')).openOwnHome(home),
        modelKeys,
        modelRegistry: loadModelShelf,
        ...setUp,
        optionalPackages,
        ...builtPages,
        openInBrowser: (path) => showInBrowser(path, environment),
        launcher: launcherCommand(environment),
        repository: () => repositoryAround(cwd),
        repositoryHistory: async () => (await import('../record/repository/history.ts')).openRepositoryHistory(cwd),
        recordOf: async (project, content) =>
          (await import('../record/store/memory/index.ts')).openMemoryStore({
            project,
            clock,
            ...content,
            embedder: embedders.bundled,
          }),
        codeParser: parser.load,
        within: ({ effect }, work) =>
          withGitAllowance(
            {
              seconds: Math.min(Math.max(Number(settings.get('git.patience').value), 1), MOST_SECONDS),
              isBudgeted: effect === 'read',
              mayLeave: settings.get('git.outside').value === true,
            },
            work,
          ),
        progress: progress ?? (() => {}),
        notices: () => heard.splice(0),
        record: async (project, at) =>
          at?.asOf === undefined
            ? present(project)
            : past(await present(project), at.asOf, () => repositoryAround(cwd)),
      }
    },
    async close() {
      await Promise.allSettled([...stores.values()].map(async (store) => (await store).close()))
      await (await contextProjects)?.close()
      await (await upkeep?.catch(() => undefined))?.close()
      await (await memory?.catch(() => undefined))?.close()
      await parser.close()
      await analyst.close()
      await named.close()
      await embedders.close()
      uses.close()
    },
  }
}

/** What a set-up and an uninstallation need to undo what Ken did. */
function openUndo(parts: LeftoversParts): Pick<SetupNeeds, 'leftovers' | 'startLog'> {
  return {
    startLog: openStartLog(parts.home),
    async leftovers(...given) {
      const { openLeftovers } = await import('./find-leftovers.ts')
      return openLeftovers(parts)(...given)
    },
  }
}

/** Time limit of a git command, in seconds. */
const MOST_SECONDS = 3_600

const repositoryAround = async (folder: string) =>
  (await import('../record/repository/index.ts')).openRepository(folder)

const showInBrowser = async (path: string, environment: Environment) =>
  (await import('../kernel/system/browser.ts')).openInBrowser(path, { platform: platform(), environment })

/** Loaded on first use; a clone builds them first. */
const builtPages = {
  graphViewer: async () => (await import('./graph-viewer.ts')).graphViewer(),
  documentation: async () => (await import('./docs-site.ts')).docsSite(),
}

const loadContextDefinitions = async () => (await import('./providers.ts')).contextDefinitions()

/** Makes a project named by the caller the default for calls that name none. */
const namedFirst = (projects: Projects, named: string | undefined): Projects =>
  named === undefined ? projects : { ...projects, find: (query) => projects.find({ project: named, ...query }) }

async function noProject(projects: Projects, project: string | undefined): Promise<AppError> {
  if (project !== undefined)
    return unknownName(
      'project',
      project,
      (await projects.list()).map(({ name }) => name),
    )
  return new AppError('not_found', 'Not a Ken project: no .ken folder here or in a parent folder.', {
    hint: 'Run `ken init` in the repository, or pass --project.',
  })
}

function once(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (!told.has(message)) warn(message)
    told.add(message)
  }
}
