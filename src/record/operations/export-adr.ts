import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { Files } from '../../kernel/ports/files.ts'
import { AT_A_TERMINAL, defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { type Decision, isSeed } from '../domain/decision/decision.ts'
import { ADR_FORMATS } from '../domain/export/adr-text.ts'
import { exportAdrs, isUntouchedExport } from '../domain/export/adr.ts'
import { fromHere } from '../import-source.ts'
import type { Store } from '../ports/store.ts'
import { readDecision } from '../read-decision.ts'
import { listed, recordFields, whose } from './record-fields.ts'

const MOST_NAMED = 10
const STDOUT = '-'

export const exportAdr = defineOperation({
  name: 'export_adr',
  title: 'Export ADRs',
  summary: 'Export decisions as architecture decision records, one file each.',
  details:
    'MADR 4 by default. The last line of each file is a hash of its text: unchanged exports are updated. If any other file has one of the names, nothing is written, unless --force is given. The decision that only starts a record is left out.',
  effect: 'write',
  words: 'own',
  needs: ['record'],
  onServer: { hiddenFrom: NOT_FOR_AGENTS },
  hiddenFrom: AT_A_TERMINAL,
  positional: ['folder'],
  input: {
    folder: z.string().min(1).describe('Output folder; created if missing. `-` prints the files.'),
    format: z.enum(ADR_FORMATS).default('madr').describe('MADR 4, or Michael Nygard’s format.'),
    force: z.boolean().default(false).describe('Also overwrite files that an export did not write.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    folder: z.string(),
    written: z.array(z.string()),
    unchanged: z.number(),
    files: z
      .array(z.object({ name: z.string(), text: z.string() }))
      .optional()
      .describe('For the folder `-`.'),
    leftover: z.array(z.string()).describe('Earlier exports under names that no decision has now.'),
  },
  examples: [
    { title: 'As MADR 4', input: { folder: 'docs/decisions' } },
    { title: 'In the form of Michael Nygard', input: { folder: 'docs/decisions', format: 'nygard' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const exported = exportAdrs(await allDecisions(store), input.format)
    if (input.folder === STDOUT) {
      const files = exported.map(({ name, text }) => ({ name, text }))
      return { ...whose(store), folder: STDOUT, written: [], unchanged: 0, files, leftover: [] }
    }
    if (ctx.files === undefined) throw new AppError('forbidden', 'A server writes no folder.', { hint: 'Give `-`.' })
    const files = ctx.files
    const folder = fromHere(ctx, input.folder).replace(/(?<=.)[/\\]+$/, '')
    const present = await texts(
      files,
      folder,
      exported.map((adr) => adr.name),
    )
    const foreign = exported.filter(
      (adr) =>
        present.has(adr.name) && present.get(adr.name) !== adr.text && !isUntouchedExport(present.get(adr.name)!),
    )
    if (foreign.length > 0 && !input.force) throw refusal(foreign.map((adr) => adr.name))
    const changed = exported.filter((adr) => present.get(adr.name) !== adr.text)
    for (const adr of changed) await files.write(`${folder}/${adr.name}`, adr.text, { replace: present.has(adr.name) })
    const leftover = await olderExports(files, folder, new Set(exported.map((adr) => adr.name)))
    return {
      ...whose(store),
      folder: input.folder,
      written: changed.map((adr) => adr.name),
      unchanged: exported.length - changed.length,
      leftover,
    }
  },
  isProse: ({ folder }) => folder !== STDOUT,
  render: (output) =>
    output.files?.map(({ name, text }) => `<!-- ${name} -->\n${text}`).join('\n') ??
    [
      `Wrote ${plural(output.written.length, 'ADR')} to ${output.folder}; ${output.unchanged} already up to date.`,
      ...output.written.map((name) => `  ${name}`),
      ...listed('Exported earlier under another name; remove them by hand:', output.leftover),
    ].join('\n'),
})

async function allDecisions(store: Store): Promise<Decision[]> {
  const { decisions } = await store.catalogue()
  const read = await Promise.all(
    decisions.filter((entry) => !isSeed(entry)).map((entry) => readDecision(store, entry.stem)),
  )
  return read.filter((decision) => decision !== undefined)
}

async function texts(files: Files, folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const name of names) {
    const text = await files.read(`${folder}/${name}`)
    if (text !== undefined) found.set(name, text)
  }
  return found
}

function refusal(names: readonly string[]): AppError {
  const shown = [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ['…'] : [])].join(', ')
  return new AppError(
    'conflict',
    `${plural(names.length, 'file was', 'files were')} not written by an export, or changed since: ${shown}.`,
    {
      hint: 'No changes. Choose another folder, or overwrite them with --force.',
    },
  )
}

async function olderExports(files: Files, folder: string, current: ReadonlySet<string>): Promise<string[]> {
  const names = (await files.list(folder)) ?? []
  const others = names.filter((name) => /^[0-9]{4,}-[^/]+\.md$/.test(name) && !current.has(name))
  const older = await texts(files, folder, others)
  return others.filter((name) => isUntouchedExport(older.get(name) ?? ''))
}
