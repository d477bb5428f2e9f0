import { didYouMean } from '../kernel/domain/close-match.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { limitTo } from '../kernel/domain/limit-to.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { stopped } from '../kernel/domain/stop.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import { blankNotes, showSources, type Build, type BuildReport } from './build.ts'
import { databaseIndex } from './domain/context-project/database-index.ts'
import { readSelection } from './domain/context-project/due-items.ts'
import { joinMap } from './domain/context-project/join-map.ts'
import { llmsTxt } from './domain/context-project/llms-txt.ts'
import { entryKey } from './domain/context-project/manifest.ts'
import type { Manifest, ManifestEntry } from './domain/context-project/manifest.ts'
import { staleExamples } from './domain/examples/example.ts'
import { readExampleFiles } from './example-files.ts'
import { openModelWriter } from './model-writer.ts'
import type { ContextProject, SourceEntry } from './ports/context-project.ts'
import type { SourceItem } from './ports/source.ts'
import { removeGone } from './sync-item.ts'
import { syncSource } from './sync-source.ts'
import { redactTexts } from './table-sample.ts'
import { writeItem } from './write-item.ts'

export interface BuildRequest {
  readonly only: readonly string[]
  readonly threads: number
  /** False for a dry run without changes. */
  readonly write: boolean
  readonly force: boolean
  /** With `write` off: omits work that only a sync would do although nothing changed. */
  readonly check?: boolean
  readonly now: () => Date
  /** Returns the model that writes text for sources; undefined if none is set. */
  readonly language: () => Promise<LanguageModel | undefined>
  /** Files written before the stop stay written and owned; the next build does the rest. */
  readonly signal: StopSignal | undefined
  readonly progress: Call['progress']
}

/** Compiles the sources of a project into its tree. One source failing does not stop the others. */
export async function compileContext(project: ContextProject, request: BuildRequest): Promise<BuildReport> {
  const chosen = chooseSources(project.sources, request.only)
  const run = async (): Promise<BuildReport> => {
    const build: Build = {
      project,
      manifest: new Map(await project.tree.load()),
      notes: blankNotes(),
      now: request.now,
      signal: request.signal,
      write: request.write,
      force: request.force,
      check: request.check ?? false,
      limit: limitTo(request.threads),
      taken: new Map(),
      progress: showSources(
        chosen.map(({ entry }) => entry.key),
        request.progress,
      ),
      writer: openModelWriter({ project, language: request.language, now: request.now }),
    }
    const before = new Map(build.manifest)
    for (const entry of before.values())
      if (project.sources.some((source) => source.key === entry.source)) remember(entry, build.taken)
    const sources = await Promise.all(chosen.map(({ entry, globs }) => syncSource(entry, globs, build)))
    if (request.signal?.aborted) {
      if (request.write) await project.tree.save(build.manifest)
      throw stopped('`ken sync` was stopped')
    }
    const names = project.config.databases.map(({ name }) => name)
    build.notes.staleExamples.push(
      ...staleExamples(await readExampleFiles(project.files, names), build.notes.examples, {
        databases: names,
        isWhole: request.only.length === 0,
      }),
    )
    if (request.only.length === 0)
      await removeGone(
        [...before.values()].filter((entry) => !isKnown(entry, project)),
        build,
      )
    if (request.write) {
      // Written files stay owned by their claims, so a full disk loses nothing.
      await finish(project, build, before).catch((thrown: unknown) =>
        build.notes.failures.push({ source: OWN, item: 'llms.txt', message: lineOf(thrown) }),
      )
    }
    return { sources, ...build.notes }
  }
  return request.write ? project.tree.exclusively(run) : run()
}

const OWN = 'ken'
const TEMPLATES = 'templates'
const AUTHORED = /^(?!\.|.*\/\.).+\.(?:md|sql|ya?ml|txt|json|csv)$/i

const isKnown = (entry: ManifestEntry, project: ContextProject): boolean =>
  entry.source === OWN || entry.source === TEMPLATES || project.sources.some((source) => source.key === entry.source)

/** Reserves the paths of an entry: a table or page keeps its path, whatever the order of the sources. */
function remember(entry: ManifestEntry, taken: Map<string, string>): void {
  for (const { path } of entry.files) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    taken.set((entry.table === undefined ? path : folder).toLowerCase(), entry.source)
  }
}

function chooseSources(
  all: readonly SourceEntry[],
  only: readonly string[],
): readonly { entry: SourceEntry; globs: readonly string[] | undefined }[] {
  if (only.length === 0) return all.map((entry) => ({ entry, globs: undefined }))
  const wanted = only.map(readSelection)
  for (const { source } of wanted) {
    if (!all.some((entry) => entry.name === source || entry.key === source)) {
      throw new AppError('not_found', `ken.yaml has no source "${source}".`, {
        hint: didYouMean(
          source,
          all.map((entry) => entry.name),
        ),
      })
    }
  }
  return all.flatMap((entry) => {
    const own = wanted.filter(({ source }) => entry.name === source || entry.key === source)
    const globs = own.some(({ items }) => items === undefined) ? undefined : own.map(({ items }) => items!)
    return own.length === 0 ? [] : [{ entry, globs }]
  })
}

/** Writes templates, the index and the manifest, last because they depend on the rest. */
async function finish(project: ContextProject, build: Build, before: Manifest): Promise<void> {
  await renderTemplates(project, build)
  await writePages(project, build)
  const owned = new Set([...build.manifest.values()].flatMap((entry) => entry.files.map((file) => file.path)))
  const authored = (await project.files.list('')).filter(
    (file) => !owned.has(file.path) && file.path !== 'llms.txt' && AUTHORED.test(file.path),
  )
  const index = llmsTxt(
    project.config.name,
    build.manifest,
    authored.map((file) => ({ path: file.path, tokens: Math.ceil(file.bytes / 4) })),
  )
  await writeOwn({ source: OWN, path: 'llms.txt', text: index, framed: false }, build)
  if (isSame(before, build.manifest)) return
  await project.tree.save(build.manifest)
}

async function renderTemplates(project: ContextProject, build: Build): Promise<void> {
  const owned = new Set([...build.manifest.values()].flatMap((entry) => entry.files.map((file) => file.path)))
  const templates = await project.userTemplates(owned)
  const tables = await redactTexts(
    [...build.manifest.values()].flatMap((entry) =>
      entry.table === undefined ? [] : [{ ...entry.table, path: entry.files[0]?.path ?? '' }],
    ),
    project.redact,
  )
  for (const template of templates) {
    try {
      const clean = { ...template, text: (await project.redact(template.text)).text }
      const text = await project.templates.render(clean, { project: { name: project.config.name }, tables })
      const framed = template.name.endsWith('.md.liquid')
      await writeOwn(
        {
          source: TEMPLATES,
          path: template.name.replace(/\.liquid$/, ''),
          // Redacts framed files only: other formats may be read by programs, and a redaction would break them.
          text: framed ? (await project.redact(text)).text : text,
          framed,
        },
        build,
      )
    } catch (thrown) {
      build.notes.failures.push({ source: TEMPLATES, item: template.name, message: lineOf(thrown) })
    }
  }
  const gone = [...build.manifest.values()].filter(
    (entry) => entry.source === TEMPLATES && !templates.some((template) => template.name === `${entry.item}.liquid`),
  )
  await removeGone(gone, build)
}

/** Pages about whole databases; the pages of a removed database are deleted. */
async function writePages(project: ContextProject, build: Build): Promise<void> {
  const pages = databasePages(build.manifest)
  for (const { path, text } of pages)
    await writeOwn({ source: OWN, path, text: (await project.redact(text)).text, framed: true }, build)
  const kept = new Set(['llms.txt', ...pages.map(({ path }) => path)])
  await removeGone(
    [...build.manifest.values()].filter((entry) => entry.source === OWN && !kept.has(entry.item)),
    build,
  )
}

async function writeOwn(
  { source, path, text, framed }: { source: string; path: string; text: string; framed: boolean },
  { project, manifest, notes, now }: Build,
): Promise<void> {
  const before = manifest.get(entryKey(source, path))
  const item: SourceItem = {
    id: path,
    title: path,
    path,
    fingerprint: sha256(text).slice(0, 16),
    maxAgeDays: undefined,
  }
  const written = await writeItem(
    { tree: project.tree, source, item, before, now: now().toISOString() },
    { documents: [{ name: '', text, framed }], table: undefined },
  )
  if (written.changed || before === undefined) manifest.set(entryKey(source, path), written.entry)
  notes.kept.push(...written.kept)
}

const lineOf = (thrown: unknown): string => (thrown instanceof AppError ? thrown.line : String(thrown))

/** Compares by identity: entries are replaced as a whole if anything about them changes. */
const isSame = (before: Manifest, after: Manifest): boolean =>
  before.size === after.size && [...after].every(([key, entry]) => before.get(key) === entry && !entry.unfinished)

interface Page {
  readonly path: string
  readonly text: string
}

/** The pages about a database as a whole: its tables and joins. */
function databasePages(manifest: Manifest): readonly Page[] {
  const folders = Map.groupBy(
    [...manifest.values()].filter((entry) => entry.table !== undefined && entry.files.length > 0),
    databaseFolder,
  )
  return [...folders].flatMap(([folder, entries]) => {
    const tables = entries.map((entry) => ({
      table: entry.table!,
      folder: tableFolder(entry).slice(folder.length + 1),
      tokens: entry.files.reduce((sum, file) => sum + file.tokens, 0),
      changed: entry.files
        .map((file) => file.fetched_at.slice(0, 10))
        .toSorted()
        .at(-1)!,
    }))
    const { database } = entries[0]!.table!
    const joins = joinMap(
      database,
      tables.map(({ table }) => table),
    )
    return [
      ...databaseIndex(database, tables, joins === undefined ? [] : ['joins.md']),
      ...(joins === undefined ? [] : [{ path: 'joins.md', text: joins }]),
    ].map(({ path, text }) => ({ path: `${folder}/${path}`, text }))
  })
}

const tableFolder = (entry: ManifestEntry): string => entry.files[0]!.path.split('/').slice(0, -1).join('/')

/** `databases/type=…/database=…`: a table is two folders below. */
const databaseFolder = (entry: ManifestEntry): string => tableFolder(entry).split('/').slice(0, -2).join('/')
