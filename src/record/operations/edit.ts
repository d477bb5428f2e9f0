import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { plainText } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../../operations/operation.ts'
import { decisionNumber } from '../domain/decision/decision-id.ts'
import { label } from '../domain/decision/decision.ts'
import { decisionPath } from '../domain/files.ts'
import { faultOfText, replaceText } from '../edit-decision.ts'
import { numbersHere, writeNamed } from '../named-decision.ts'
import { noSuchDecision } from '../read-decision.ts'
import { refuseFromClone } from '../refuse-from-clone.ts'
import { recordFields, whose } from './record-fields.ts'

export const edit = defineOperation({
  name: 'edit',
  title: 'Edit a decision',
  summary: 'Edit a decision in your editor.',
  details:
    'Needs a terminal and $VISUAL or $EDITOR; --text takes the whole new text instead, - for standard input. For a slip of the pen or a clearer reason: a decision that no longer holds is superseded (`ken supersede`). The text before stays in the snapshots.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  onServer: {},
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['decision'],
  input: {
    decision: z.string().min(1).max(200).describe('Its number, e.g. 12.'),
    text: z.string().max(1_048_576).optional().describe('The whole new text; default: open your editor.'),
    expects: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('SHA-256 of the edited text; refused if the decision has changed since.'),
    ...projectField,
  },
  output: { ...recordFields, number: z.number(), path: z.string(), changed: z.boolean() },
  examples: [{ title: 'In your editor', input: { decision: '1' } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    refuseFromClone(store)
    const catalogue = await store.catalogue()
    const meant = writeNamed(catalogue, input.decision, await numbersHere(store))
    if (meant === undefined) throw noSuchDecision(decisionNumber(input.decision.trim()) ?? input.decision, catalogue)
    if ('asks' in meant) throw new AppError('conflict', meant.asks)
    const { entry } = meant
    const path = decisionPath(entry.stem)
    const before = (await store.read(path)) ?? ''
    if (input.expects !== undefined && input.expects !== sha256(before))
      throw new AppError('conflict', `${label(entry.num)} has changed since you opened it. No changes.`, {
        hint: 'It has changed since, or contains a hidden secret: reload it, or edit the file.',
      })
    const after = input.text === undefined ? await editedText(ctx, before, entry.stem) : plainText(input.text)
    const changed = after !== before
    if (changed) {
      const fault = faultOfText(after, entry.stem)
      if (fault !== undefined) throw new AppError('invalid_input', fault, { hint: 'No changes.' })
      await replaceText(ctx, store, { entry, before, after })
    }
    return { ...whose(store), number: entry.num, path, changed }
  },
  render: (output) =>
    output.changed ? `Recorded your edit of ${label(output.number)}.` : `${label(output.number)} stays as it is.`,
})

/** The text as edited by the person, who may fix an invalid text before it is lost. */
async function editedText(ctx: Given, before: string, stem: string): Promise<string> {
  if (ctx.editText === undefined)
    throw new AppError('unavailable', 'Can’t open an editor: needs a terminal and $VISUAL or $EDITOR.', {
      hint: 'E.g. `EDITOR=nano ken edit 12`.',
    })
  let text = plainText(await ctx.editText(before, `${stem}.md`))
  for (;;) {
    const fault = text === before ? undefined : faultOfText(text, stem)
    if (fault === undefined || !(await ctx.confirm?.(`${fault}\nEdit it again?`))) return text
    text = plainText(await ctx.editText(text, `${stem}.md`))
  }
}
