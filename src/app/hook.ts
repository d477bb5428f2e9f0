import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import { runHook, type HookNotice, type HookParts } from '../surfaces/cli/hook.ts'
import { kenHome, nauroHome } from './homes.ts'

/** `ken hook`: composed by hand instead of through open.ts, because every prompt of every session waits for it. */
export async function runHookProcess(argv: readonly string[]): Promise<void> {
  const open: Parameters<typeof runHook>[2] = (cwd, found) => openParts(cwd, found).catch(noticeOf)
  // The clock of `performance` starts with the process.
  const answer = await runHook(argv, process.stdin, open, performance.now())
  // Exits explicitly: an open watch on the record would keep the process, and with it the agent, waiting.
  process.stdout.write(answer, () => process.exit(0))
}

/** Loads the record's adapters only once a record is found. */
async function openParts(cwd: string | undefined, found: () => void): Promise<HookParts | HookNotice | undefined> {
  const home = resolve(kenHome(process.env))
  const directory = cwd ?? process.env['CLAUDE_PROJECT_DIR'] ?? process.cwd()
  if (isMarked(directory)) found()
  const [{ openProjectFiles }, { systemClock }] = await Promise.all([
    import('../kernel/projects/index.ts'),
    import('../kernel/system/clock.ts'),
  ])
  const projects = openProjectFiles({ home, nauroHome: resolve(nauroHome(process.env)), clock: systemClock })
  const project = await projects.find({ directory })
  if (project === undefined || project.absence === 'unstarted') {
    const { noRecordNotice } = await import('../kernel/domain/project/disconnected.ts')
    return { notice: noRecordNotice, isAbsent: true }
  }
  if (project.absence !== undefined) {
    const { absentNotice } = await import('../kernel/domain/project/disconnected.ts')
    return { notice: absentNotice({ ...project, absence: project.absence }) }
  }
  found()
  const [{ openFileStore }, { openSessionMemoryFiles }, { openBundledEmbedder }] = await Promise.all([
    import('../record/store/files/index.ts'),
    import('../memory/adapters/files-session-memory.ts'),
    import('./bundled-model.ts'),
  ])
  const embedder = isOn(home, { name: 'embeddings', variable: 'KEN_EMBEDDINGS' })
    ? openBundledEmbedder
    : async () => undefined
  const settled: string[] = []
  const store = await openFileStore({
    settle: 'later',
    told: (line) => settled.push(line),
    root: project.location,
    project,
    cacheDir: join(home, 'cache'),
    stateDir: join(home, 'records'),
    clock: systemClock,
    embedder,
  })
  return {
    store,
    settled,
    memory: openSessionMemoryFiles(join(home, 'hook-state'), systemClock.now),
    now: systemClock.now(),
    ...(isOn(home, { name: 'askAgent', variable: 'KEN_CAPTURE_ASK_AGENT' }) && {
      capture: { settled: () => settledMatters(home, project.id) },
    }),
  }
}

/** Loaded only before a question is sent to an agent, which is once per session. */
async function settledMatters(home: string, project: string): Promise<string[]> {
  if (!existsSync(join(home, 'state.db'))) return []
  const [{ openSqliteAnalystState }, { settledDecisions }, { LOCAL_USER }] = await Promise.all([
    import('../database/state/sqlite/analyst-state.ts'),
    import('../analyst/capture-sessions.ts'),
    import('./open-analyst.ts'),
  ])
  const state = await openSqliteAnalystState(join(home, 'state.db'), { passing: true })
  try {
    return await settledDecisions(state, LOCAL_USER, project)
  } finally {
    await state.close()
  }
}

/** Whether the folder or a parent is marked as having a record; nothing more can be checked in a short time. */
function isMarked(directory: string): boolean {
  if (existsSync(join(directory, '.ken', 'config.json'))) return true
  const above = dirname(directory)
  return above !== directory && isMarked(above)
}

/** Converts a failure to a notice: the agent must not mistake silence for a record without decisions. */
async function noticeOf(error: unknown): Promise<HookNotice> {
  if (!(error instanceof AppError)) throw error
  const { unboundNotice, unreadableNotice } = await import('../kernel/domain/project/disconnected.ts')
  return { notice: error.details?.['unbound'] === true ? unboundNotice : unreadableNotice }
}

/** Reads a setting that is on by default, without loading `src/setup`. */
function isOn(home: string, { name, variable }: { readonly name: string; readonly variable: string }): boolean {
  const given = process.env[variable]
  if (given !== undefined) return !/^(0|false|no|off|)$/i.test(given.trim())
  const config = join(home, 'config.yml')
  const off = new RegExp(`^\\s*${name}:\\s*(false|no|off)\\b`, 'm')
  return !(existsSync(config) && off.test(readFileSync(config, 'utf8')))
}
