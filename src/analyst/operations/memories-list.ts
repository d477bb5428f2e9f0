import { stringify } from 'yaml'
import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { redactDeep } from '../../kernel/domain/secrets/redact-deep.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { MEMORY_CATEGORIES } from '../domain/user-memory/memory-row.ts'
import {
  memoryFields,
  memoryField,
  memoryNamed,
  memoriesOffered,
  renderMemories,
  shortId,
  shownMemory,
} from './memory-fields.ts'
import { memorySwitches } from './memory-switches.ts'
import { projectKey } from './project-key.ts'

export const memoriesList = defineOperation({
  name: 'memories_list',
  title: 'Memories about you',
  summary: 'List what Ken remembers about you.',
  details:
    'Lists the memories that apply here: in all your projects, and in this one. Each comes from something you wrote, quoted beside it if the words differ. `ken memories forget` removes one, `ken memories undo` undoes the last change, and `ken config set memory.learn off` stops learning.',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {
    all: z.boolean().default(false).describe('Include superseded, deleted and other projects’ memories.'),
    category: z.enum(MEMORY_CATEGORIES).optional().describe('Only rules, or only facts.'),
  },
  output: { memories: z.array(z.object(memoryFields)), learns: z.boolean(), uses: z.boolean() },
  examples: [{ title: 'Memories that apply here', input: {} }],
  async run(ctx, input) {
    const { memories } = await ctx.analystState()
    const rows = input.all ? await memoriesOffered(ctx) : await memories.active(ctx.user, await projectKey(ctx))
    return {
      memories: rows.filter(({ category }) => category === (input.category ?? category)).map(shownMemory),
      ...(await memorySwitches(ctx)),
    }
  },
  render(output, _input, view = PLAIN) {
    const off = [
      ...(output.learns ? [] : ['Nothing is learned here: memory.learn or `memory` in ken.yaml is off.']),
      ...(output.uses ? [] : ['Nothing of it is used here: memory.use or `memory` in ken.yaml is off.']),
    ]
    const list =
      output.memories.length === 0
        ? `Nothing is remembered. Say to the analyst what is to hold from now on, or ${operationNamed('memories_add')}.`
        : renderMemories(output.memories, view)
    return [list, ...off].join('\n\n')
  },
})

const event = z.object({
  change: z.number(),
  kind: z.string(),
  memory: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  at: z.string(),
  undone: z.boolean(),
})

export const memoriesHistory = defineOperation({
  name: 'memories_history',
  title: 'History of memories',
  summary: 'List changes to your memories, newest first.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['memory'],
  input: {
    memory: memoryField.memory.optional().describe('Only this memory: its id, or words it contains.'),
    limit: z.number().int().min(1).max(1_000).default(50),
  },
  output: { events: z.array(event) },
  examples: [{ title: 'All of it', input: {} }],
  async run(ctx, input) {
    const { memories } = await ctx.analystState()
    const named = input.memory === undefined ? undefined : (await memoryNamed(ctx, input.memory)).id
    const offered = new Set((await memoriesOffered(ctx)).map(({ id }) => id))
    const events = (await memories.history(ctx.user, named)).filter(({ memory }) => offered.has(memory))
    return { events: events.slice(0, input.limit) }
  },
  render({ events }, _input, view = PLAIN) {
    if (events.length === 0) return 'Nothing has happened yet.'
    return events
      .map(({ at, kind, memory, before, after, undone }) => {
        const what = kind === 'edit' ? `${before ?? '?'} -> ${after ?? '?'}` : (after ?? before ?? '(erased)')
        return `${view.mark('dim', at.slice(0, 16).replace('T', ' '))}  ${kind}${undone ? ' (undone)' : ''}  ${view.mark('dim', shortId(memory))}  ${what}`
      })
      .join('\n')
  },
})

export const memoriesExport = defineOperation({
  name: 'memories_export',
  title: 'Export memories',
  summary: 'Export your memories as JSON, YAML or Markdown.',
  effect: 'read',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  isProse: () => false,
  holdsFile: ['text'],
  input: {
    format: z.enum(['json', 'yaml', 'markdown']).default('markdown'),
    all: z.boolean().default(false).describe('Include superseded and deleted memories.'),
  },
  output: { format: z.string(), count: z.number(), text: z.string() },
  examples: [{ title: 'As JSON', input: { format: 'json' } }],
  async run(ctx, input) {
    const rows = redactDeep((await memoriesOffered(ctx)).map(shownMemory)).value
    const shown = input.all ? rows : rows.filter(({ state }) => state === 'holds')
    const text = {
      json: () => JSON.stringify(shown, null, 2),
      yaml: () => stringify(shown),
      markdown: () => (shown.length === 0 ? '' : markdown(shown)),
    }[input.format]()
    return { format: input.format, count: shown.length, text }
  },
  render: ({ text }) => text,
})

const markdown = (memories: readonly ReturnType<typeof shownMemory>[]): string =>
  [
    '# Memories',
    ...MEMORY_CATEGORIES.flatMap((category) => {
      const own = memories.filter((one) => one.category === category)
      if (own.length === 0) return []
      const lines = own.map(({ content, words, created_at, state }) => {
        const gone = state === 'holds' ? '' : `, ${state}`
        return `- ${content}\n  <!-- ${created_at.slice(0, 10)}${gone}: ${words.replaceAll(/\s+/g, ' ').replaceAll('--', '- -')} -->`
      })
      return ['', category === 'global_rule' ? '## Rules' : '## About me', '', ...lines]
    }),
  ].join('\n')
