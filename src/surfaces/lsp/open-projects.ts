import { dirname } from 'node:path'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { call } from '../../operations/call.ts'
import type { Context } from '../../operations/context.ts'
import { redactedStore } from '../../operations/redacted-store.ts'
import { REGISTRY } from '../../operations/registry.ts'
import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { decisionPath } from '../../record/domain/files.ts'
import type { DriftFinding } from '../../record/find-drift.ts'
import { type BufferJudge, openBufferJudge } from '../../record/judge-buffers.ts'
import type { Store } from '../../record/ports/store.ts'
import { type Dismissals, openDismissals } from './dismissals.ts'
import { pathBelow, pathOfUri, realPathOf, uriOfPath } from './file-uri.ts'

/** A repository with a record that the user trusts. */
export interface EditorProject {
  readonly root: string
  /** Real path of the folder with the record's files. */
  readonly record: string
  readonly store: Store
  readonly judge: BufferJudge
  readonly dismissals: Dismissals
  /** The file of a decision, or another file of the record. */
  uriOf(of: CatalogueEntry | string): string
  run(operation: string, input: object): Promise<Readonly<Record<string, unknown>>>
  /** Drift of some decisions, by their numbers. */
  drift(nums: readonly number[]): Promise<readonly DriftFinding[]>
}

/** Why a folder has no project: no record, an untrusted one, or one that cannot be opened. */
export type ProjectState =
  | { readonly state: 'ready'; readonly project: EditorProject }
  | { readonly state: 'none' | 'untrusted' }
  | { readonly state: 'failed'; readonly message: string }

export interface Place {
  readonly project: EditorProject
  /** Path relative to the root of the repository, or of the record if `isRecord`. */
  readonly path: string
  readonly isRecord: boolean
}

export interface EditorProjects {
  /** The project of a document inside an open folder or an open record; undefined for all others. */
  placeOf(uri: string): Promise<Place | undefined>
  /** The project around a folder, read again if it was not ready. */
  stateOf(folder: string): Promise<ProjectState>
  all(): Promise<readonly EditorProject[]>
  /** Discards the results so far, so that new records and changes of trust take effect. */
  forget(): void
  setFolders(uris: readonly string[]): void
  folders(): readonly string[]
}

export type OpenContext = (folder: string) => Context

export function openProjects(
  context: OpenContext,
  report: (root: string, state: ProjectState) => void,
): EditorProjects {
  let folders: string[] = []
  const roots = new Map<string, Promise<string | undefined>>()
  const states = new Map<string, Promise<ProjectState>>()
  const opened = new Map<string, EditorProject>()

  const rootOf = (folder: string): Promise<string | undefined> => {
    const root =
      roots.get(folder) ??
      reading(context(folder), (ctx) => ctx.repository())
        .then((repository) => repository?.root)
        .catch(() => {
          // git timed out.
          roots.delete(folder)
          return undefined
        })
    roots.set(folder, root)
    return root
  }

  async function open(root: string): Promise<ProjectState> {
    return reading(context(root), (ctx) => openIn(root, ctx))
  }

  async function openIn(root: string, ctx: Context): Promise<ProjectState> {
    const found = await ctx.projects.find({ directory: root })
    if (found === undefined || found.absence === 'unstarted') return { state: 'none' }
    if (found.fromClone === true) return { state: 'untrusted' }
    const known = opened.get(`${root}\n${found.id}`)
    if (known !== undefined) return { state: 'ready', project: known }
    const [store, repository] = await Promise.all([ctx.record(), ctx.repository()])
    const record = realPathOf(found.location)
    if (repository === undefined || record === undefined) return { state: 'none' }
    const project = openProject(ctx, { root, record, store: redactedStore(store), repository })
    opened.set(`${root}\n${found.id}`, project)
    return { state: 'ready', project }
  }

  function stateOfRoot(root: string): Promise<ProjectState> {
    const known = states.get(root)
    if (known !== undefined) return known
    const state = open(root).catch((thrown: unknown): ProjectState => ({
      state: 'failed',
      message: toAppError(thrown).line,
    }))
    states.set(root, state)
    void state.then((each) => {
      if (each.state === 'failed') states.delete(root)
      report(root, each)
    })
    return state
  }

  const stateOf = async (folder: string): Promise<ProjectState> => {
    const root = await rootOf(folder)
    return root === undefined ? { state: 'none' } : stateOfRoot(root)
  }

  return {
    stateOf,
    async placeOf(uri) {
      const named = pathOfUri(uri)
      const path = named === undefined ? undefined : realPathOf(named)
      if (path === undefined) return undefined
      for (const project of opened.values()) {
        const inRecord = pathBelow(project.record, path)
        // Trust may have been revoked since.
        if (inRecord !== undefined && (await stateOfRoot(project.root)).state === 'ready')
          return { project, path: inRecord, isRecord: true }
      }
      if (!folders.some((folder) => pathBelow(folder, path) !== undefined)) return undefined
      const found = await stateOf(dirname(path))
      if (found.state !== 'ready') return undefined
      const { project } = found
      const inRecord = pathBelow(project.record, path)
      const below = inRecord ?? pathBelow(project.root, path)
      return below === undefined || below.startsWith('.git/')
        ? undefined
        : { project, path: below, isRecord: inRecord !== undefined }
    },
    async all() {
      const found = await Promise.all([...folders].map(stateOf))
      return [...new Set(found.flatMap((each) => (each.state === 'ready' ? [each.project] : [])))]
    },
    forget() {
      roots.clear()
      states.clear()
    },
    setFolders(uris) {
      folders = uris.flatMap((uri) => {
        const path = pathOfUri(uri)
        return (path === undefined ? undefined : realPathOf(path)) ?? []
      })
    },
    folders: () => folders,
  }
}

type Opened = Pick<EditorProject, 'root' | 'record' | 'store'> & {
  readonly repository: NonNullable<Awaited<ReturnType<Context['repository']>>>
}

function openProject(ctx: Context, { root, record, store, repository }: Opened): EditorProject {
  const run: EditorProject['run'] = async (name, input) => {
    const entry = REGISTRY.find((one) => one.name === name)!
    return (await call(ctx, await entry.load(), input)).output
  }
  const judge = openBufferJudge({ repository, store, codeParser: ctx.codeParser })
  return {
    root,
    record,
    store,
    judge: {
      ...judge,
      refresh: () => reading(ctx, judge.refresh),
      judge: (path, text) => reading(ctx, () => judge.judge(path, text)),
    },
    dismissals: openDismissals(record),
    uriOf: (of) => uriOfPath(`${record}/${typeof of === 'string' ? of : decisionPath(of.stem)}`),
    run,
    async drift(nums) {
      const { findings } = await run('drift', { only: nums.map((num) => `D${num}`) })
      return findings as DriftFinding[]
    },
  }
}

/** Reads within the user's limits for git, as an operation does. */
const reading = <T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> =>
  ctx.within?.({ effect: 'read' }, () => work(ctx)) ?? work(ctx)
