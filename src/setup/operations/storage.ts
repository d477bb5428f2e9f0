import { z } from 'zod'
import { foldedParts, homePartFacts } from '../../kernel/domain/home-parts.ts'
import { inBytes } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const part = z.object({
  name: z.string(),
  path: z.string(),
  bytes: z.number(),
  files: z.number(),
  holds: z.string(),
  removable: z.boolean().describe('Safe to delete: it is rebuilt, or not needed.'),
  back: z.string().optional().describe('How to restore it, or what is lost.'),
})

export const storage = defineOperation({
  name: 'storage',
  title: 'Data that Ken keeps on this machine',
  summary: 'Show what is in the Ken home, with sizes and what is safe to delete.',
  details:
    'Records of projects that live in a repository are not among it. Which limits hold for index and sessions is set by storage.maxSize, storage.retention and storage.minFreeDisk.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: {
    home: z.string(),
    bytes: z.number(),
    parts: z.array(part).describe('The largest first.'),
    limits: z.record(z.string(), z.string()),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const home = await ctx.ownHome()
    const found = await home.parts()
    const parts = foldedParts(found)
      .map((one) => ({ ...one, ...homePartFacts(one.name) }))
      .toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
    return {
      home: home.path,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      parts,
      limits: Object.fromEntries(LIMITS.map((name) => [name, String(ctx.settings.get(name).value)])),
    }
  },
  render({ home, bytes, parts, limits }, _input, view = PLAIN) {
    const rows = parts.map((one) => [
      one.name,
      inBytes(one.bytes),
      one.holds,
      one.removable ? `may be deleted${one.back === undefined ? '' : `: ${one.back}`}` : 'keep',
    ])
    const said = Object.entries(limits).map(([name, value]) => `${name} ${value}`)
    return [
      `${inBytes(bytes)} in ${home}`,
      ...table(
        rows,
        [{ tone: 'title' }, { align: 'right' }, { shrinks: true }, { tone: 'dim', shrinks: true }],
        view,
        '  ',
      ),
      `Limits: ${said.join(', ')}.`,
    ].join('\n')
  },
})

const LIMITS = ['storage.maxSize', 'storage.retention', 'storage.minFreeDisk']
