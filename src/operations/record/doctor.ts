import { z } from 'zod'
import { parseHashIndex } from '../../core/decision/hash-index.ts'
import { examine, hashOf, type Examined, type Flaw, type FlawKind } from '../../core/record/doctor.ts'
import { decisionPath, HASHES, QUESTIONS } from '../../core/record/files.ts'
import { plural } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { Discrepancy, Store } from '../../ports/store.ts'
import { readDecision } from '../../record/read-decision.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const doctor = defineOperation({
  name: 'doctor',
  title: 'Examine the record',
  summary: 'Find every flaw of the record; exits 0 only when there is none.',
  details:
    'Unreadable files, dangling references, circles, contradictions, duplicate numbers and titles, a hash index out of step, damaged snapshots, a journal that was changed or cut, files that differ from the journal, and decisions that govern files which are not in the repository here.',
  effect: 'read',
  words: 'own',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: {
    ...recordFields,
    clean: z.boolean(),
    decisions: z.number(),
    flaws: z.array(
      z.object({ kind: z.string(), path: z.string(), message: z.string(), repair: z.string().optional() }),
    ),
  },
  examples: [{ title: 'The project here', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const flaws = [...(await flawsOf(store)), ...(await governedNothing(ctx, store))]
    const { decisions } = await store.catalogue()
    return {
      ...whose(store),
      clean: flaws.length === 0,
      decisions: decisions.length,
      flaws: flaws.map(({ kind, path, message, repair }) => ({ kind, path, message, ...(repair && { repair }) })),
    }
  },
  render(output) {
    if (output.clean) return `Clean: ${plural(output.decisions, 'decision')}, no flaw found.`
    const rows = output.flaws.map((f) => `  ${f.path}: ${f.message}${f.repair ? ` (repair: ${f.repair})` : ''}`)
    const mendable = output.flaws.some((f) => f.repair)
    const edited = output.flaws.some((f) => f.kind === 'edited' || f.kind === 'unknown')
    const next = [
      ...(mendable ? ['Run `ken repair` to mend what can be mended safely.'] : []),
      ...(edited
        ? ['`ken accept` takes edits made by hand into the journal; `ken repair --take-back` undoes them.']
        : []),
    ]
    return [`${plural(output.flaws.length, 'flaw')}:`, ...rows, ...(next.length === 0 ? [] : ['', ...next])].join('\n')
  },
  exit: (output) => (output.clean ? 0 : 1),
})

/** What is wrong inside the record: what its files say, and where they differ from the journal. */
export async function flawsOf(store: Store): Promise<Flaw[]> {
  const discrepancies = await store.verify()
  const unreadable = new Set((await store.catalogue()).unreadable.map((file) => file.path))
  const told = await Promise.all(discrepancies.map((found) => toFlaw(store, found, unreadable)))
  const taken = new Set(told.filter((flaw) => flaw.repair !== undefined).map((flaw) => flaw.path))
  // The index is out of step with a decision that was edited or is gone only as long as that is so.
  const isConsequence = (flaw: Flaw) =>
    flaw.kind === 'hash-index' && discrepancies.some(({ path }) => path.startsWith('decisions/'))
  const seen = examine(await examined(store)).filter((flaw) => !isConsequence(flaw))
  // A file that is to be taken back has no other flaw worth mending: what it says now is not what was recorded.
  return [...seen.map((flaw) => (taken.has(flaw.path) ? { ...flaw, repair: undefined } : flaw)), ...told]
}

async function toFlaw(
  store: Store,
  { path, kind, message }: Discrepancy,
  unreadable: ReadonlySet<string>,
): Promise<Flaw> {
  if (kind === 'damaged' || path.startsWith('journal/') || path.startsWith('snapshots/'))
    return { kind: placeOf(path), path, message, repair: undefined }
  if (path === HASHES) return { kind: 'hash-index', path, message, repair: 'rebuild it from the decisions' }
  const isTakenBack =
    kind === 'missing' || (kind === 'edited' && (unreadable.has(path) || (await readOrNone(store, path)) === undefined))
  const kept = isTakenBack ? await store.care.lastKnown(path) : undefined
  return { kind, path, message, repair: kept && `take it back from ${kept.holder}` }
}

const placeOf = (path: string): FlawKind =>
  path.startsWith('snapshots/') ? 'snapshot' : path.startsWith('journal/') ? 'journal' : 'unreadable'

async function examined(store: Store): Promise<Examined> {
  const catalogue = await store.catalogue()
  const hashes = new Map<string, string>()
  const updated = new Set<string>()
  for (const { stem } of catalogue.decisions) {
    const decision = await readDecision(store, stem)
    if (decision !== undefined) hashes.set(stem, hashOf(decision))
    if (decision !== undefined && decision.version > 1) updated.add(stem)
  }
  return {
    catalogue,
    hashes,
    updated,
    hashIndex: parseHashIndex(await store.read(HASHES).catch(() => 'is no text')),
    questions: (await readOrNone(store, QUESTIONS)) ?? '',
  }
}

/** A file that is no text is told by verify; it must not stop the examination. */
const readOrNone = (store: Store, path: string): Promise<string | undefined> => store.read(path).catch(() => undefined)

/** Active decisions about files that are not there. Only the repository that the record belongs to can tell. */
async function governedNothing(ctx: Context, store: Store): Promise<Flaw[]> {
  const here = await ctx.projects.find({ directory: ctx.cwd })
  const repository = here?.id === store.project.id ? await ctx.repository() : undefined
  const active = (await store.catalogue()).decisions.filter((entry) => entry.status === 'active')
  const empty = new Set(await repository?.withoutFiles(active.flatMap((entry) => entry.files_affected)))
  return active.flatMap((entry) => {
    const gone = entry.files_affected.filter((pattern) => empty.has(pattern))
    return gone.length === 0
      ? []
      : [
          {
            kind: 'governs',
            path: decisionPath(entry.stem),
            message: `it governs ${gone.join(', ')}, which ${gone.length === 1 ? 'does' : 'do'} not exist here`,
            repair: undefined,
          },
        ]
  })
}
