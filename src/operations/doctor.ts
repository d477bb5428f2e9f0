import { z } from 'zod'
import { parseHashIndex } from '../core/decision/hash-index.ts'
import { examine, hashOf, type Examined, type Flaw } from '../core/record/doctor.ts'
import { HASHES, QUESTIONS } from '../core/record/files.ts'
import { plural } from '../core/text.ts'
import type { Store } from '../ports/store.ts'
import { defineOperation, FOR_PEOPLE, projectField } from './operation.ts'
import { readDecision, recordFields, whose } from './record-answer.ts'

export const doctor = defineOperation({
  name: 'doctor',
  title: 'Examine the record',
  summary: 'Find every flaw of the record; exits 0 only when there is none.',
  details: 'Unreadable files, dangling references, circles, contradictions, duplicate numbers and titles, a hash index out of step, damaged snapshots, files that differ from the journal.',
  effect: 'read',
  toolset: 'desk',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: {
    ...recordFields,
    clean: z.boolean(),
    decisions: z.number(),
    flaws: z.array(z.object({ kind: z.string(), path: z.string(), message: z.string(), repair: z.string().optional() })),
  },
  examples: [{ title: 'The project here', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const flaws = await flawsOf(store)
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
    return [`${plural(output.flaws.length, 'flaw')}:`, ...rows, ...(mendable ? ['', 'Run `ken repair` to mend what can be mended safely.'] : [])].join('\n')
  },
  exit: (output) => (output.clean ? 0 : 1),
})

export async function flawsOf(store: Store): Promise<Flaw[]> {
  const discrepancies = await store.verify()
  return [
    ...examine(await examined(store)),
    ...discrepancies.filter((d) => d.kind === 'damaged').map((d): Flaw => ({ kind: d.path.startsWith('snapshots/') ? 'snapshot' : 'journal', path: d.path, message: d.message, repair: undefined })),
  ]
}

export async function examined(store: Store): Promise<Examined> {
  const catalogue = await store.catalogue()
  const hashes = new Map<string, string>()
  for (const { stem } of catalogue.decisions) {
    const decision = await readDecision(store, stem)
    if (decision !== undefined) hashes.set(stem, hashOf(decision))
  }
  return { catalogue, hashes, hashIndex: parseHashIndex(await store.read(HASHES)), questions: (await store.read(QUESTIONS)) ?? '' }
}
