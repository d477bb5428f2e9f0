import { z } from 'zod'
import { sayUnknownSetting } from '../../kernel/domain/settings.ts'
import { plural } from '../../kernel/domain/text.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { wrapWidth } from '../../kernel/domain/view/width.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import { danglingPathNotes, findFlaws, foreignKeyNotes } from '../find-flaws.ts'
import { DRIVER_MISSING, mergeDriverState } from '../merge-driver.ts'
import { mergeDriverField, recordFields, whose } from './record-fields.ts'

export const doctor = defineOperation({
  name: 'doctor',
  title: 'Examine the record',
  summary: 'Check the record for problems; exits 1 if it finds any.',
  details:
    'Unreadable files, dangling references, circles, contradictions, duplicate numbers and titles, a hash index out of step, damaged snapshots, a journal that was changed or cut, and files that differ from the journal. Decisions that govern files which do not exist in the repository here are notes: the code may come later.',
  effect: 'read',
  words: 'own',
  needs: ['record'],
  onServer: {},
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: { ...projectField },
  output: {
    ...recordFields,
    clean: z.boolean(),
    decisions: z.number(),
    merge_driver: mergeDriverField,
    flaws: z.array(
      z.object({ kind: z.string(), path: z.string(), message: z.string(), repair: z.string().optional() }),
    ),
    notes: z.array(z.string()).describe('Worth knowing, and no flaw.'),
  },
  examples: [{ title: 'The project here', input: {} }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const flaws = await findFlaws(store)
    const { decisions } = await store.catalogue()
    return {
      ...whose(store),
      ...(await mergeDriverState(ctx, store.project)),
      clean: flaws.length === 0,
      decisions: decisions.length,
      flaws: flaws.map(({ kind, path, message, repair }) => ({ kind, path, message, ...(repair && { repair }) })),
      notes: [
        ...(await danglingPathNotes(ctx, store)),
        ...(await foreignKeyNotes(store)),
        ...ctx.settings.unknown().map(sayUnknownSetting),
      ],
    }
  },
  render(output, _input, view = PLAIN) {
    const notes = output.notes.map((note) => `  note: ${note}`)
    const driver = output.merge_driver === 'missing' ? ['', DRIVER_MISSING] : []
    if (output.clean)
      return [
        `${view.mark('good', 'Clean:')} ${plural(output.decisions, 'decision')}, no flaw found.`,
        ...notes,
        ...driver,
      ].join('\n')
    const rows = output.flaws.flatMap((f) => {
      const said = `${f.message}${f.repair ? ` (repair: ${f.repair})` : ''}`
      return view.reader === 'person'
        ? [`  ${view.mark('bad', f.path)}`, ...wrapWidth(said, view.width - 6).map((line) => `      ${line}`)]
        : [`  ${f.path}: ${said}`]
    })
    const mendable = output.flaws.some((f) => f.repair)
    const edited = output.flaws.some((f) => f.kind === 'edited' || f.kind === 'unknown')
    const next = [
      ...(mendable ? ['Run `ken repair` to mend what can be mended safely.'] : []),
      ...(edited
        ? ['`ken accept` takes edits made by hand into the journal; `ken repair --take-back` undoes them.']
        : []),
    ]
    return [
      `${plural(output.flaws.length, 'flaw')}:`,
      ...rows,
      ...notes,
      ...(next.length === 0 ? [] : ['', ...next]),
      ...driver,
    ].join('\n')
  },
  exit: (output) => (output.clean ? 0 : 1),
})
