import { z } from 'zod'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { bringsBack, bringsBackField, bringsBackText } from '../brings-back.ts'
import { changeState } from '../change-state.ts'
import { refreshAgentsMd } from '../refresh-agents-md.ts'
import { recordFields, whose } from './record-fields.ts'

const MOST_SHOWN = 20
const LONGEST_SHOWN = 200

export const updateState = defineOperation({
  name: 'update_state',
  title: 'Update the current state',
  summary: 'Save the state of the project when a piece of work is done: add what is new, or replace all of it.',
  forPeople: 'Add to the project state, or replace it.',
  searchHint: 'finished, progress, status, handover',
  details:
    'Give one of add, replace and undo. An addition is appended; a replacement moves the old state to the history. The answer lists what stayed, what is new and what is gone. --undo restores the previous state, and a second --undo redoes the change.',
  effect: 'write',
  fromPage: 'free',
  words: 'record',
  needs: ['record'],
  onServer: {},
  positional: ['add'],
  unlisted: ['undo'],
  input: {
    add: z.string().optional().describe('The addition; everything else stays.'),
    replace: z.string().optional().meta(forPeople('The whole state.')),
    undo: z.boolean().default(false).describe('Undo the last state change.'),
    delta: z.string().optional().describe('Another name for add.').meta({ deprecated: true }),
    state: z.string().optional().describe('Another name for replace.').meta({ deprecated: true }),
    ...projectField,
  },
  output: {
    ...recordFields,
    status: z.enum(['ok', 'noop']),
    mode: z.enum(['add', 'replace', 'undo']),
    kept: z.number().describe('Lines of the state that stayed.'),
    added: z.array(z.string()),
    gone: z.array(z.string()).describe('Lines removed from the state; the history keeps them.'),
    warning: z.string().optional(),
    brings_back: bringsBackField.optional(),
  },
  examples: [
    { title: 'Progress', input: { add: 'v0.2.0 runs on staging.' } },
    { title: 'All of it', input: { replace: '- v0.2.0 runs on staging.\n- The import is next.' } },
  ],
  async run(ctx, { add, delta, replace, state, undo, project_id }) {
    const store = await ctx.record(project_id)
    const outcome = await changeState(ctx, store, { add: add ?? delta, replace: replace ?? state, undo })
    await refreshAgentsMd(ctx, store)
    const said = add ?? delta ?? replace ?? state
    const back = said === undefined ? undefined : await bringsBack(store, said).catch(() => undefined)
    return { ...whose(store, back), ...outcome, ...(back && { brings_back: back }) }
  },
  own(output) {
    if (output.status === 'noop') return 'There is no state file to update. Run `ken init` first.'
    const done = { add: 'Added to the state', replace: 'Replaced the state', undo: 'Took the state back' }[output.mode]
    const counts = [
      plural(output.added.length, 'new line'),
      ...(output.kept === 0 ? [] : [`${output.kept} kept`]),
      ...(output.gone.length === 0 ? [] : [`${output.gone.length} gone`]),
    ]
    return [
      `${done}: ${counts.join(', ')}.`,
      ...(output.gone.length === 0
        ? []
        : ['No longer in it, but in the history (`ken state --undo` takes this change back):', ...shown(output.gone)]),
      ...(output.warning === undefined ? [] : [output.warning]),
    ].join('\n')
  },
  render: (output) => bringsBackText(output.brings_back),
})

const shown = (lines: readonly string[]): string[] => [
  ...lines.slice(0, MOST_SHOWN).map((line) => `  ${ellipsis(line, LONGEST_SHOWN)}`),
  ...(lines.length > MOST_SHOWN ? [`  (and ${plural(lines.length - MOST_SHOWN, 'more line')})`] : []),
]
